use bootstrap::grpc::Reply;
use kernel::RequestId;
use proto::convert::{InvalidField, decimal, micros, to_required_decimal};
use proto::market::v1 as wire;
use proto::market::v1::alert_service_server::AlertService;
use tonic::{Request, Response};

use super::Market;
use super::items::not_found;
use super::likes::member;
use crate::alerts::AlertKind;
use crate::alerts::draft::{Draft, DraftFault, PriceNow, judge};
use crate::catalogue::Instrument;
use crate::error::MarketError;
use crate::store::{Alert, Baseline, NewAlert};

#[tonic::async_trait]
impl AlertService for Market {
    async fn create_alert(
        &self,
        request: Request<wire::CreateAlertRequest>,
    ) -> Reply<wire::CreateAlertReply> {
        let request = request.into_inner();
        let instrument = self
            .catalogue
            .get(&request.code)
            .ok_or_else(|| not_found(&request.code))?;
        let draft = Draft {
            kind: kind_of(request.kind())?,
            value: to_required_decimal(request.value.as_ref(), "value")?,
        };
        let new = NewAlert {
            member: member(request.member_id)?,
            request: RequestId::parse(&request.request_id)
                .map_err(|_invalid| InvalidField("request_id"))?,
            code: request.code.clone(),
            draft,
        };
        let judge = || self.judge_alert(instrument, draft);
        let (alert, replayed) = self
            .store
            .create_alert(&new, self.price_alerts_max, self.clock.as_ref(), judge)
            .await?;
        Ok(Response::new(wire::CreateAlertReply {
            alert: self.alert(alert),
            replayed,
        }))
    }

    async fn list_alerts(&self, request: Request<wire::ListAlertsRequest>) -> Reply<wire::Alerts> {
        let member = member(request.into_inner().member_id)?;
        let alerts = self.store.alerts(member, self.clock.as_ref()).await?;
        Ok(Response::new(wire::Alerts {
            alerts: alerts
                .into_iter()
                .filter_map(|alert| self.alert(alert))
                .collect(),
        }))
    }

    async fn delete_alert(
        &self,
        request: Request<wire::DeleteAlertRequest>,
    ) -> Reply<wire::DeleteAlertResponse> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        self.store
            .delete_alert(member, request.alert_id, self.clock.as_ref())
            .await?;
        Ok(Response::new(wire::DeleteAlertResponse {}))
    }
}

impl Market {
    fn judge_alert(&self, instrument: &Instrument, draft: Draft) -> Result<Baseline, MarketError> {
        let code = &instrument.code;
        // The tick first: a later price only lets one more tick fire the alert.
        let newest = self.board.tick(code).map_or(0, |tick| tick.tick_seq);
        let quote = self.board.quote(code).ok_or(MarketError::PriceUnknown)?;
        let read = |value| {
            to_required_decimal(value, "price").map_err(|_invalid| MarketError::PriceUnknown)
        };
        let now = PriceNow {
            price: read(quote.price.as_ref())?,
            prev_close: read(quote.prev_close.as_ref())?,
            scale: instrument.tick_table.scale(),
            day_limit: instrument.limit_percent(),
        };
        if quote.trading_day == 0 {
            return Err(MarketError::PriceUnknown);
        }
        judge(draft, now)?;
        Ok(Baseline {
            shares_day: quote.trading_day,
            tick_seq: newest,
        })
    }

    /// `None` for an instrument that is not in the catalogue any more.
    fn alert(&self, alert: Alert) -> Option<wire::Alert> {
        let instrument = self.catalogue.get(&alert.code)?;
        let kind = match alert.kind {
            AlertKind::Above => wire::AlertKind::Above,
            AlertKind::Below => wire::AlertKind::Below,
            AlertKind::Percent => wire::AlertKind::Percent,
        };
        let fired = alert.fired.as_ref();
        Some(wire::Alert {
            alert_id: alert.alert_id,
            name: instrument.korean_name.clone(),
            market: proto::common::v1::Market::from(instrument.market).into(),
            currency: proto::common::v1::Currency::from(instrument.currency).into(),
            kind: kind.into(),
            value: Some(decimal(alert.value)),
            created_at_us: micros(alert.created_at),
            fired_at_us: fired.map_or(0, |fired| micros(fired.at)),
            fired_price: fired.map(|fired| decimal(fired.price)),
            tick_seq: fired.map_or(0, |fired| fired.tick_seq),
            code: alert.code,
        })
    }
}

fn kind_of(kind: wire::AlertKind) -> Result<AlertKind, InvalidField> {
    match kind {
        wire::AlertKind::Above => Ok(AlertKind::Above),
        wire::AlertKind::Below => Ok(AlertKind::Below),
        wire::AlertKind::Percent => Ok(AlertKind::Percent),
        wire::AlertKind::Unspecified => Err(InvalidField("kind")),
    }
}

impl From<DraftFault> for MarketError {
    fn from(fault: DraftFault) -> Self {
        match fault {
            DraftFault::Price => Self::AlertPrice,
            DraftFault::Percent => Self::AlertPercent,
            DraftFault::AlreadyTrue => Self::AlertAlreadyTrue,
        }
    }
}
