//! What members know of decisions about their texts, themselves and their reports.

use bootstrap::grpc::Reply;
use proto::community::v1 as wire;
use proto::community::v1::moderation_service_server::ModerationService;
use proto::community::v1::{appeal_request, get_hiding_request};
use proto::convert::micros;
use tonic::{Request, Response};

use super::{Service, cursor, member, publication, request_id};
use crate::domain::causes::StepKind;
use crate::domain::cursor::CursorKind;
use crate::domain::moderation::Rule;
use crate::domain::post::Publication;
use crate::error::CommunityError;
use crate::store::{Hiding, NewAppeal, OwnReport, TextRef};

#[tonic::async_trait]
impl ModerationService for Service {
    async fn get_hiding(&self, request: Request<wire::GetHidingRequest>) -> Reply<wire::Hiding> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let text = match request.subject {
            Some(get_hiding_request::Subject::PostId(id)) => TextRef::Post(id),
            Some(get_hiding_request::Subject::CommentId(id)) => TextRef::Comment(id),
            None => return Err(CommunityError::Malformed.into()),
        };
        let row = self.store.hiding(member, text).await?;
        Ok(Response::new(hiding(row)))
    }

    async fn appeal(&self, request: Request<wire::AppealRequest>) -> Reply<wire::Appealed> {
        let request = request.into_inner();
        let text = match request.subject {
            Some(appeal_request::Subject::PostId(id)) => TextRef::Post(id),
            Some(appeal_request::Subject::CommentId(id)) => TextRef::Comment(id),
            None => return Err(CommunityError::Malformed.into()),
        };
        let new = NewAppeal {
            member: member(request.member_id)?,
            request: request_id(&request.request_id)?,
            text,
            words: request.text,
        };
        let replayed = self.store.appeal(&new).await?;
        Ok(Response::new(wire::Appealed { replayed }))
    }

    async fn get_standing(
        &self,
        request: Request<wire::GetStandingRequest>,
    ) -> Reply<wire::Standing> {
        let member = member(request.into_inner().member_id)?;
        let sanction = self.store.standing(member).await?;
        let now = self.store.now();
        let sanction = sanction.map(|standing| wire::Sanction {
            rung: standing.rung.into(),
            rule: rule(&standing.rule),
            reason: standing.reason,
            begins_at_us: micros(standing.begins_at),
            ends_at_us: standing.ends_at.map(micros).unwrap_or_default(),
            is_active: standing.ends_at.is_none_or(|ends_at| ends_at > now),
        });
        Ok(Response::new(wire::Standing { sanction }))
    }

    async fn list_reports(
        &self,
        request: Request<wire::ListReportsRequest>,
    ) -> Reply<wire::ReportPage> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let after = cursor(&request.cursor, CursorKind::Latest)?;
        let page = self.store.own_reports(member, after).await?;
        Ok(Response::new(wire::ReportPage {
            reports: page.reports.into_iter().map(own_report).collect(),
            cursor: page.cursor,
        }))
    }
}

fn hiding(row: Hiding) -> wire::Hiding {
    let is_hidden = Publication::parse(&row.publication) == Some(Publication::Hidden);
    let cause = match (is_hidden, row.step.as_ref().map(|step| step.kind)) {
        (false, _) => wire::HidingCause::Unspecified,
        (true, Some(StepKind::Restricted)) => wire::HidingCause::Restricted,
        (true, Some(StepKind::Upheld)) => wire::HidingCause::Upheld,
        (true, Some(StepKind::Refused)) => wire::HidingCause::Refused,
        (true, Some(StepKind::Removed)) => wire::HidingCause::Removed,
        // Also of what was hidden before there was a history.
        (true, _) => wire::HidingCause::Reports,
    };
    let appeal = row.appeal.map(|appeal| wire::TextAppeal {
        text: appeal.text,
        created_at_us: micros(appeal.created_at),
        decided_at_us: appeal.decided_at.map(micros).unwrap_or_default(),
        is_upheld: appeal.is_upheld.unwrap_or_default(),
    });
    let (word, reason) = row
        .step
        .map(|step| (step.rule, step.reason))
        .unwrap_or_default();
    wire::Hiding {
        publication: publication(&row.publication),
        cause: cause.into(),
        rule: rule(&word),
        reason,
        until_us: row.until.map(micros).unwrap_or_default(),
        may_appeal: is_hidden && appeal.is_none(),
        appeal,
    }
}

fn own_report(report: OwnReport) -> wire::OwnReport {
    wire::OwnReport {
        id: report.id,
        post_id: report.post_id,
        comment_id: report.comment_id.unwrap_or_default(),
        reason: rule(&report.reason),
        created_at_us: micros(report.created_at),
        decided_at_us: report.decided_at.map(micros).unwrap_or_default(),
        is_upheld: report.upheld.unwrap_or_default(),
    }
}

/// Unspecified for none.
fn rule(word: &str) -> i32 {
    let rule = match Rule::parse(word) {
        Some(Rule::Abuse) => wire::ReportReason::Abuse,
        Some(Rule::Spam) => wire::ReportReason::Spam,
        Some(Rule::Manipulation) => wire::ReportReason::Manipulation,
        Some(Rule::Obscene) => wire::ReportReason::Obscene,
        Some(Rule::PersonalData) => wire::ReportReason::PersonalData,
        Some(Rule::Other) => wire::ReportReason::Other,
        None => wire::ReportReason::Unspecified,
    };
    rule.into()
}
