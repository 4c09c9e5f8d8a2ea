//! Logging: one JSON object or one line of text per event, with the service and the trace id.

use std::fmt;
use std::io;
use std::str::FromStr;

use chrono::SecondsFormat;
use kernel::{Clock, SystemClock};
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::trace;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For machines.
    #[default]
    Json,
    /// For a terminal.
    Text,
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "json" => Ok(Self::Json),
            "text" => Ok(Self::Text),
            other => Err(format!("log format is 'json' or 'text', not '{other}'")),
        }
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Json => "json",
            Self::Text => "text",
        })
    }
}

/// Logs an error for every byte that is not HTTP.
const HTTP_PARSER: &str = "actix_http::h1";

/// Logs to standard output, filtered by `RUST_LOG` (default: info). Later calls have no effect.
pub(crate) fn init(service: &'static str, format: LogFormat) {
    let given = EnvFilter::try_from_default_env().ok();
    let directives = given.map(|filter| filter.to_string());
    let subscriber = subscriber(service, format, directives.as_deref(), io::stdout);
    // In tests a subscriber may be installed already; it stays.
    let _already = subscriber.try_init();
}

/// The subscriber for `service`, filtered by `directives` in `RUST_LOG`'s format. Malformed HTTP
/// from clients is not logged unless `directives` name the parser.
pub fn subscriber<W>(
    service: &'static str,
    format: LogFormat,
    directives: Option<&str>,
    writer: W,
) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let given = directives.filter(|given| EnvFilter::try_new(given).is_ok());
    let given = given.filter(|given| !given.is_empty()).unwrap_or("info");
    let filter = if given.contains("actix_http") {
        EnvFilter::new(given)
    } else {
        EnvFilter::new(format!("{given},{HTTP_PARSER}=off"))
    };
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .event_format(Lines::new(service, format))
        .with_writer(writer)
        .finish()
}

pub(crate) struct Lines {
    service: &'static str,
    format: LogFormat,
}

impl Lines {
    pub(crate) fn new(service: &'static str, format: LogFormat) -> Self {
        Self { service, format }
    }
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let time = SystemClock
            .now()
            .to_rfc3339_opts(SecondsFormat::Millis, true);
        let trace_id = trace::current().map(|context| context.trace_id());
        let metadata = event.metadata();
        match self.format {
            LogFormat::Json => {
                let mut line = Map::new();
                line.insert("time".into(), time.into());
                line.insert("level".into(), metadata.level().as_str().into());
                line.insert("service".into(), self.service.into());
                line.insert("trace_id".into(), trace_id.into());
                line.insert("target".into(), metadata.target().into());
                line.insert("message".into(), fields.message.into());
                for (name, value) in fields.others {
                    line.entry(name).or_insert(value);
                }
                writeln!(writer, "{}", Value::Object(line))
            }
            LogFormat::Text => {
                write!(writer, "{time} {:5} {}", metadata.level(), self.service)?;
                write!(writer, " {}", fields.message)?;
                for (name, value) in fields.others {
                    write!(writer, " {name}={value}")?;
                }
                if let Some(trace_id) = trace_id {
                    write!(writer, " trace_id={trace_id}")?;
                }
                writeln!(writer)
            }
        }
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    others: Vec<(String, Value)>,
}

impl Fields {
    fn add(&mut self, field: &Field, value: Value) {
        if field.name() == "message" {
            self.message = value
                .as_str()
                .map_or_else(|| value.to_string(), ToOwned::to_owned);
        } else {
            self.others.push((field.name().to_owned(), value));
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_one_of_two_words() {
        assert_eq!("json".parse(), Ok(LogFormat::Json));
        assert_eq!("text".parse(), Ok(LogFormat::Text));
        assert!("JSON".parse::<LogFormat>().is_err());
    }
}
