use serde::{Deserialize, Serialize};

/// A chart or table, drawn from its data.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub kind: FigureKind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Text alternative for screen readers.
    pub alt: String,
    /// Source of the data, if it must be stated.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub x: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub y: String,

    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stacked: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub horizontal: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub step: bool,
    /// Labelled points of `lines`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mark: Vec<(f64, f64, String)>,

    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<String>>,
    /// Row and column of the highlighted cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<(usize, usize)>,

    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asks: Vec<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bids: Vec<(f64, f64)>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mine: String,

    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candles: Vec<(String, f64, f64, f64, f64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<Side>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    Bars,
    Lines,
    Donut,
    Table,
    OrderBook,
    Candles,
    Flow,
    Timeline,
    Balance,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    pub name: String,
    /// One per label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    /// Instead of values, for a continuous horizontal axis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<(f64, f64)>,
}

/// One side of a comparison.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    pub title: String,
    pub items: Vec<String>,
}

impl Figure {
    /// Whether the data of its kind is complete and consistent.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match self.kind {
            FigureKind::Bars => self.has_values(),
            FigureKind::Lines => {
                let has_points = self.series.iter().all(|series| series.points.len() > 1);
                self.has_values() || (!self.series.is_empty() && has_points)
            }
            FigureKind::Donut => !self.labels.is_empty() && self.labels.len() == self.values.len(),
            FigureKind::Table => {
                let width = self.columns.len();
                width > 0
                    && !self.rows.is_empty()
                    && self.rows.iter().all(|row| row.len() == width)
                    && self
                        .emphasis
                        .is_none_or(|(row, column)| row < self.rows.len() && column < width)
            }
            FigureKind::OrderBook => !self.asks.is_empty() && !self.bids.is_empty(),
            FigureKind::Candles => {
                let fits = |(_, open, high, low, close): &(String, f64, f64, f64, f64)| {
                    low <= open && low <= close && high >= open && high >= close
                };
                !self.candles.is_empty() && self.candles.iter().all(fits)
            }
            FigureKind::Flow => {
                self.steps.len() > 1
                    && (self.notes.is_empty() || self.notes.len() == self.steps.len())
            }
            FigureKind::Timeline => self.events.len() > 1,
            FigureKind::Balance => {
                let has_items =
                    |side: &Option<Side>| side.as_ref().is_some_and(|side| !side.items.is_empty());
                has_items(&self.left) && has_items(&self.right)
            }
        }
    }

    fn has_values(&self) -> bool {
        let width = self.labels.len();
        let fits = |series: &Series| series.values.len() == width;
        width > 0 && !self.series.is_empty() && self.series.iter().all(fits)
    }
}
