//! See the module's types.
