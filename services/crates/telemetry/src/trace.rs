//! The W3C trace context of the current task.
//!
//! Used by the log formatter, gRPC metadata, AMQP headers and outbox rows, so that one id connects
//! a request with all consumers of its events.

use std::future::Future;

use rand::Rng;

tokio::task_local! {
    static CURRENT: TraceContext;
}

/// One span: the `traceparent` of W3C Trace Context, version 00.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext {
    trace_id: u128,
    span_id: u64,
    sampled: bool,
}

impl TraceContext {
    #[must_use]
    pub fn new_root() -> Self {
        let mut rng = rand::rng();
        Self {
            trace_id: rng.random_range(1..=u128::MAX),
            span_id: rng.random_range(1..=u64::MAX),
            sampled: true,
        }
    }

    /// `None` for an invalid `traceparent`; the caller then starts a root.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        let mut parts = header.trim().split('-');
        let version = parts.next()?;
        let trace = lower_hex(parts.next()?, 32)?;
        let span = lower_hex(parts.next()?, 16)?;
        let flags = lower_hex(parts.next()?, 2)?;
        // Later versions may append fields; version 00 may not, and ff is forbidden.
        let known = lower_hex(version, 2)? != "ff" && (version != "00" || parts.next().is_none());
        let context = Self {
            trace_id: u128::from_str_radix(trace, 16).ok()?,
            span_id: u64::from_str_radix(span, 16).ok()?,
            sampled: u8::from_str_radix(flags, 16).ok()? & 1 == 1,
        };
        (known && context.trace_id != 0 && context.span_id != 0).then_some(context)
    }

    /// A new span of the same trace, for the next process.
    #[must_use]
    pub fn child(self) -> Self {
        Self {
            span_id: rand::rng().random_range(1..=u64::MAX),
            ..self
        }
    }

    /// The `traceparent` header.
    #[must_use]
    pub fn header(&self) -> String {
        let flags = u8::from(self.sampled);
        format!(
            "00-{:032x}-{:016x}-{flags:02x}",
            self.trace_id, self.span_id
        )
    }

    /// 32 lower-case hexadecimal digits; `traceId` in error bodies.
    #[must_use]
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace_id)
    }
}

/// The context of the running task; `None` outside of any [`scope`].
#[must_use]
pub fn current() -> Option<TraceContext> {
    CURRENT.try_with(|context| *context).ok()
}

/// Runs `future` with `context` as the current one. Spawned tasks do not inherit it.
pub fn scope<F: Future>(context: TraceContext, future: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(context, future)
}

/// Runs `work` with `context` as the current one.
pub fn within<T>(context: TraceContext, work: impl FnOnce() -> T) -> T {
    CURRENT.sync_scope(context, work)
}

fn lower_hex(text: &str, length: usize) -> Option<&str> {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == length && text.bytes().all(is_hex)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_survives_the_round_trip() {
        let root = TraceContext::new_root();
        assert_eq!(TraceContext::parse(&root.header()), Some(root));
        assert_eq!(root.child().trace_id(), root.trace_id());
        assert_ne!(root.child(), root);
    }

    #[test]
    fn invalid_traceparents_are_refused() {
        for header in [
            "",
            "00",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ] {
            assert_eq!(TraceContext::parse(header), None, "{header:?}");
        }
        let later = "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more";
        assert!(TraceContext::parse(later).is_some());
    }

    #[tokio::test]
    async fn the_context_ends_with_its_scope() {
        let root = TraceContext::new_root();
        assert_eq!(scope(root, async { current() }).await, Some(root));
        assert_eq!(within(root, current), Some(root));
        assert_eq!(current(), None);
    }
}
