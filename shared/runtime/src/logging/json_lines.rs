//! Formats an event as a JSON line: `timestamp`, `level`, `message` and `target`, then the fields of its
//! spans from the outermost to the innermost, then the event's own fields.

use std::fmt::Debug;

use domain::clock::Clock;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::{LookupSpan, Scope};

use crate::SystemClock;
use crate::metrics::embed_metrics;

/// A layer that writes each event as a JSON line.
pub struct JsonLinesLayer<W> {
    namespace: Option<String>,
    write: W,
}

impl<W: Fn(&str)> JsonLinesLayer<W> {
    /// Creates a layer. With a `namespace`, CloudWatch reads the metrics of the lines. `write` receives
    /// complete lines with their line ends.
    pub fn new(namespace: Option<&str>, write: W) -> Self {
        Self {
            namespace: namespace.map(str::to_owned),
            write,
        }
    }
}

/// The fields of an event or span, in their order.
#[derive(Default)]
struct FieldMap(Map<String, Value>);

impl FieldMap {
    fn insert(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for FieldMap {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.insert(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.insert(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.insert(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.insert(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.insert(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.insert(field, format!("{value:?}"));
    }
}

impl<S, W> Layer<S> for JsonLinesLayer<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Fn(&str) + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut fields = FieldMap::default();
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<FieldMap>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let now = SystemClock.real_now();
        let mut event_fields = FieldMap::default();
        event.record(&mut event_fields);
        let message = event_fields.0.shift_remove("message").unwrap_or(Value::Null);
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
            if let Some(fields) = span.extensions().get::<FieldMap>() {
                line.extend(fields.0.iter().map(|(name, value)| (name.clone(), value.clone())));
            }
        }
        line.extend(event_fields.0);
        if let Some(namespace) = &self.namespace {
            embed_metrics(&mut line, namespace, now.as_millis());
        }
        (self.write)(&format!("{}\n", Value::Object(line)));
    }
}
