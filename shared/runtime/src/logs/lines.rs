//! One event, one line: `{"timestamp", "level", "message", "target", …}`, then the fields of the spans it happened in,
//! the outermost first, then its own.

use std::fmt::Debug;

use domain::clock::Clock;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::{LookupSpan, Scope};

use crate::SystemClock;
use crate::metrics::embed;

/// Writes each event as a line.
pub struct Lines<W> {
    namespace: Option<String>,
    write: W,
}

impl<W: Fn(&str)> Lines<W> {
    /// `namespace`: that of the metrics; without one CloudWatch takes none. `write` gets a whole line with its end.
    pub fn new(namespace: Option<&str>, write: W) -> Self {
        Self {
            namespace: namespace.map(str::to_owned),
            write,
        }
    }
}

/// Fields in the order of their appearance.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}"));
    }
}

impl<S, W> Layer<S> for Lines<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Fn(&str) + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let now = SystemClock.real_now();
        let mut own = Fields::default();
        event.record(&mut own);
        let message = own.0.shift_remove("message").unwrap_or_default();
        let mut line = Map::new();
        for (name, value) in [
            ("timestamp", now.iso().into()),
            ("level", event.metadata().level().as_str().into()),
            ("message", message),
            ("target", event.metadata().target().into()),
        ] {
            line.insert(name.to_owned(), value);
        }
        let spans = context.event_scope(event).into_iter();
        for span in spans.flat_map(Scope::from_root) {
            if let Some(fields) = span.extensions().get::<Fields>() {
                line.extend(fields.0.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
        }
        line.extend(own.0);
        if let Some(namespace) = &self.namespace {
            embed(&mut line, namespace, now.as_millis());
        }
        (self.write)(&format!("{}\n", Value::Object(line)));
    }
}
