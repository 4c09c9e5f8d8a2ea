//! The metrics of the process, as Prometheus reads them.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

const SECONDS_BUCKETS: [f64; 14] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0,
];

static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts collecting metrics. Histograms whose names end in `_seconds` have buckets.
pub fn install_recorder() {
    RECORDER.get_or_init(|| {
        PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS_BUCKETS)
            .and_then(PrometheusBuilder::install_recorder)
            .inspect_err(|error| tracing::error!(%error, "Metrics cannot be collected"))
            .ok()
    });
}

/// All metrics in Prometheus' text format; empty without a recorder.
#[must_use]
pub fn render() -> String {
    let handle = RECORDER.get().and_then(Option::as_ref);
    handle.map_or_else(String::new, |handle| {
        handle.run_upkeep();
        handle.render()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn metrics_say_which_build_answers() {
        install_recorder();
        crate::build::report();
        let page = render();
        let number = env!("CARGO_PKG_VERSION");
        let line = format!("build_info{{commit=\"unknown\",version=\"{number}\"}} 1");
        assert!(page.contains(&line), "{page}");
    }

    #[tokio::test]
    async fn panics_are_counted_from_nought() {
        crate::init("test", crate::LogFormat::Text);
        let page = render();
        assert!(page.contains("panics_total 0"), "{page}");
    }
}
