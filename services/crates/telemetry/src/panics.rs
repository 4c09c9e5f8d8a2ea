//! A panic fails only the request in which it happens: the server catches it and responds with an
//! internal error. It is logged here, once, with the trace of the request.

use std::panic::{AssertUnwindSafe, PanicHookInfo};

use futures_util::FutureExt;

/// The panic is logged already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// Runs `work` and catches a panic.
///
/// # Errors
/// [`Panicked`] after a panic. The future is dropped; shared state may be partly changed, as after
/// any error.
pub async fn caught<F: Future>(work: F) -> Result<F::Output, Panicked> {
    AssertUnwindSafe(work)
        .catch_unwind()
        .await
        .map_err(|_logged_by_the_hook| Panicked)
}

/// Installs a hook that logs and counts every panic.
pub(crate) fn log_all() {
    // Exported at 0, or an alert on the increase would miss the first panic.
    metrics::counter!("panics_total").increment(0);
    std::panic::set_hook(Box::new(log));
}

fn log(panic: &PanicHookInfo<'_>) {
    metrics::counter!("panics_total").increment(1);
    let message = panic.payload_as_str().unwrap_or("no text");
    let place = panic.location().map(ToString::to_string);
    tracing::error!(
        panic = message,
        place = place.as_deref().unwrap_or_default(),
        "A mistake of ours ended what was being done"
    );
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::log::{Lines, LogFormat};
    use crate::trace::{self, TraceContext};

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_panic_is_one_line_with_the_trace_of_its_request() {
        let page = Page::default();
        let kept = page.clone();
        let subscriber = tracing_subscriber::fmt()
            .event_format(Lines::new("test", LogFormat::Json))
            .with_writer(move || kept.clone())
            .finish();
        let usual = std::panic::take_hook();
        log_all();
        let context = TraceContext::new_root();
        let outcome = {
            let _logging = tracing::subscriber::set_default(subscriber);
            let number = 3;
            let failing = caught(async move { panic!("there are {number}") });
            trace::scope(context, failing).await
        };
        std::panic::set_hook(usual);
        let outcome: Result<(), Panicked> = outcome;
        assert_eq!(outcome, Err(Panicked));
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let [line] = lines.as_slice() else {
            panic!("one line: {text}");
        };
        assert_eq!(line["panic"], "there are 3");
        assert_eq!(line["level"], "ERROR");
        assert_eq!(line["trace_id"], context.trace_id());
        assert!(line["place"].as_str().unwrap().contains("panics.rs"));
        assert_eq!(caught(async { 1 }).await, Ok(1));
    }
}
