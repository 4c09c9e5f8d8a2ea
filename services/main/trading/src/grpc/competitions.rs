//! `CompetitionService`: events, entries, boards and the mode.

use std::sync::Arc;

use bootstrap::grpc::Reply;
use kernel::{MemberId, Won};
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_server::{
    CompetitionService, CompetitionServiceServer,
};
use tonic::{Request, Response};

use super::call::{member, with_timeout};
use super::digest::digest;
use super::parse;
use super::turns::Turns;
use crate::competitions::competition::{CompetitionKind, CompetitionStatus};
use crate::competitions::holdings::EntrantHoldings;
use crate::competitions::join::Join;
use crate::competitions::league::NewLeague;
use crate::competitions::leave::Leave;
use crate::competitions::list::{CompetitionView, Entry};
use crate::competitions::mode::CurrentEntry;
use crate::competitions::objection::Objection;
use crate::competitions::prizes::{Award, Prize};
use crate::competitions::{Board, BoardKind, BoardQuery, LiveBoards};
use crate::error::TradingError;
use crate::store::Store;

/// Lists and events that are read at the same time: the other connections are for what members do.
const READ_AT_ONCE: usize = 3;
/// Pages of a list that somebody can ask for.
const MOST_PAGES: i32 = 1_000;
const TITLE_LENGTH: std::ops::RangeInclusive<usize> = 2..=20;
const LEAGUE_DAYS: std::ops::RangeInclusive<i32> = 3..=30;
const LEAGUE_CASH: [i64; 3] = [1_000_000, 10_000_000, 100_000_000];
const OBJECTION_LENGTH: std::ops::RangeInclusive<usize> = 10..=500;
const LEAGUE_ENTRANTS: std::ops::RangeInclusive<i32> = 2..=50;

pub struct Competitions {
    store: Store,
    boards: LiveBoards,
    reading: Arc<Turns>,
}

impl Competitions {
    #[must_use]
    pub fn server(store: Store, boards: LiveBoards) -> CompetitionServiceServer<Self> {
        CompetitionServiceServer::new(Self {
            store,
            boards,
            reading: Arc::new(Turns::new(READ_AT_ONCE)),
        })
    }

    /// Does `work` when the member has a turn.
    async fn read<T: Send + 'static>(
        &self,
        member_id: MemberId,
        work: impl Future<Output = Result<T, TradingError>> + Send + 'static,
    ) -> Result<T, TradingError> {
        let reading = Arc::clone(&self.reading);
        with_timeout(async move {
            let _turn = reading.take(member_id).await?;
            work.await
        })
        .await
    }
}

#[tonic::async_trait]
impl CompetitionService for Competitions {
    async fn get_competition_mode(
        &self,
        request: Request<wire::GetCompetitionModeRequest>,
    ) -> Reply<wire::CompetitionMode> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let mode = with_timeout(async move { store.competition_mode(member_id).await });
        Ok(Response::new(mode_view(mode.await?)))
    }

    async fn set_competition_mode(
        &self,
        request: Request<wire::SetCompetitionModeRequest>,
    ) -> Reply<wire::CompetitionMode> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let chosen = (request.competition_id != 0).then_some(request.competition_id);
        let store = self.store.clone();
        let is_on = request.is_on;
        let mode =
            with_timeout(async move { store.set_competition_mode(member_id, is_on, chosen).await });
        Ok(Response::new(mode_view(mode.await?)))
    }

    async fn list_competitions(
        &self,
        request: Request<wire::ListCompetitionsRequest>,
    ) -> Reply<wire::Competitions> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let status = match request.status() {
            wire::CompetitionStatus::Unspecified => None,
            wire::CompetitionStatus::Scheduled => Some(CompetitionStatus::Scheduled),
            wire::CompetitionStatus::Ongoing => Some(CompetitionStatus::Ongoing),
            wire::CompetitionStatus::Ended => Some(CompetitionStatus::Ended),
        };
        let page = request.page;
        if !(0..MOST_PAGES).contains(&page) {
            return Err(TradingError::Malformed("page").into());
        }
        let store = self.store.clone();
        let list = async move { store.competitions(member_id, status, page).await };
        let listed = self.read(member_id, list);
        let (views, has_next) = listed.await?;
        Ok(Response::new(wire::Competitions {
            competitions: views.into_iter().map(view).collect(),
            has_next,
        }))
    }

    async fn get_competition(
        &self,
        request: Request<wire::GetCompetitionRequest>,
    ) -> Reply<wire::Competition> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let found = self.read(member_id, async move {
            let code = Some(request.invite_code.as_str()).filter(|code| !code.is_empty());
            store
                .competition(member_id, request.competition_id, code)
                .await
        });
        Ok(Response::new(view(found.await?)))
    }

    async fn join_competition(
        &self,
        request: Request<wire::JoinCompetitionRequest>,
    ) -> Reply<wire::JoinCompetitionReply> {
        let request = request.into_inner();
        let join = Join {
            member_id: member(request.member_id)?,
            request_id: parse::request_id(&request.request_id)?,
            competition_id: request.competition_id,
            invite_code: Some(request.invite_code.clone()).filter(|code| !code.is_empty()),
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.join_competition(&join).await });
        Ok(Response::new(reply.await?))
    }

    async fn leave_competition(
        &self,
        request: Request<wire::LeaveCompetitionRequest>,
    ) -> Reply<wire::LeaveCompetitionReply> {
        let request = request.into_inner();
        let leave = Leave {
            member_id: member(request.member_id)?,
            request_id: parse::request_id(&request.request_id)?,
            competition_id: request.competition_id,
            digest: digest(&request),
        };
        let store = self.store.clone();
        let reply = with_timeout(async move { store.leave_competition(&leave).await });
        Ok(Response::new(reply.await?))
    }

    async fn create_league(
        &self,
        request: Request<wire::CreateLeagueRequest>,
    ) -> Reply<wire::CreateLeagueReply> {
        let league = new_league(request.into_inner())?;
        let store = self.store.clone();
        let reply = with_timeout(async move { store.create_league(&league).await });
        Ok(Response::new(reply.await?))
    }

    async fn close_league(
        &self,
        request: Request<wire::CloseLeagueRequest>,
    ) -> Reply<wire::Competition> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let closed = with_timeout(async move {
            let id = request.competition_id;
            store.close_league(member_id, id).await?;
            store.competition(member_id, id, None).await
        });
        Ok(Response::new(view(closed.await?)))
    }

    async fn get_board(&self, request: Request<wire::GetBoardRequest>) -> Reply<wire::Board> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let kind = match request.kind() {
            wire::BoardKind::Unspecified | wire::BoardKind::Return => BoardKind::Return,
            wire::BoardKind::Calm => BoardKind::Calm,
        };
        let query = match (request.around_me, request.after_place) {
            (true, _) => BoardQuery::AroundMe,
            (false, place @ 0..) => BoardQuery::After(place),
            (false, _) => return Err(TradingError::Malformed("after_place").into()),
        };
        let (store, boards) = (self.store.clone(), self.boards.clone());
        let board = with_timeout(async move {
            let id = request.competition_id;
            let competition = store.competition_of_board(member_id, id).await?;
            store
                .board(&boards, &competition, kind, member_id, query)
                .await
        });
        Ok(Response::new(board_view(board.await?, query)))
    }

    async fn list_entrant_holdings(
        &self,
        request: Request<wire::ListEntrantHoldingsRequest>,
    ) -> Reply<wire::EntrantHoldings> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let entrant = member(request.entrant_id)?;
        let store = self.store.clone();
        let id = request.competition_id;
        let owned =
            with_timeout(async move { store.entrant_holdings(member_id, id, entrant).await });
        Ok(Response::new(entrant_holdings(owned.await?)))
    }

    async fn file_objection(
        &self,
        request: Request<wire::FileObjectionRequest>,
    ) -> Reply<wire::Objection> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let text = request.text.trim().to_owned();
        let is_plain = !text.chars().any(|one| one.is_control() && one != '\n');
        if !OBJECTION_LENGTH.contains(&text.chars().count()) || !is_plain {
            return Err(TradingError::Malformed("text").into());
        }
        let store = self.store.clone();
        let filed = with_timeout(async move {
            let id = request.competition_id;
            store.file_objection(member_id, id, &text).await
        });
        Ok(Response::new(objection(filed.await?)))
    }
}

fn new_league(request: wire::CreateLeagueRequest) -> Result<NewLeague, TradingError> {
    let title = request.title.trim().to_owned();
    let is_plain = !title.chars().any(char::is_control);
    if !TITLE_LENGTH.contains(&title.chars().count()) || !is_plain {
        return Err(TradingError::Malformed("title"));
    }
    if !LEAGUE_DAYS.contains(&request.days) {
        return Err(TradingError::Malformed("days"));
    }
    if !LEAGUE_CASH.contains(&request.start_cash_won) {
        return Err(TradingError::Malformed("start_cash_won"));
    }
    if !LEAGUE_ENTRANTS.contains(&request.most_entrants) {
        return Err(TradingError::Malformed("most_entrants"));
    }
    Ok(NewLeague {
        member_id: member(request.member_id)?,
        request_id: parse::request_id(&request.request_id)?,
        title,
        days: request.days.into(),
        start_cash: Won(request.start_cash_won),
        most_entrants: request.most_entrants,
        shows_holdings: request.shows_holdings,
        digest: digest(&request),
    })
}

fn mode_view(current: Option<CurrentEntry>) -> wire::CompetitionMode {
    current.map_or_else(wire::CompetitionMode::default, |current| {
        wire::CompetitionMode {
            is_on: true,
            account_id: current.account_id.0,
            account_no: current.account_no,
            competition_id: current.competition_id,
            title: current.title,
            ends_at_us: micros(current.ends_at),
        }
    })
}

fn view(view: CompetitionView) -> wire::Competition {
    let takes_part = view.takes_part();
    let CompetitionView { competition, .. } = view;
    let kind = match competition.kind() {
        CompetitionKind::Official => wire::CompetitionKind::Official,
        CompetitionKind::League => wire::CompetitionKind::League,
        CompetitionKind::Practice => wire::CompetitionKind::Practice,
    };
    let status = match view.status {
        CompetitionStatus::Scheduled => wire::CompetitionStatus::Scheduled,
        CompetitionStatus::Ongoing => wire::CompetitionStatus::Ongoing,
        CompetitionStatus::Ended => wire::CompetitionStatus::Ended,
    };
    let code = competition.invite_code.filter(|_| takes_part);
    wire::Competition {
        competition_id: competition.id,
        kind: kind.into(),
        title: competition.title,
        prize: competition.prize,
        status: status.into(),
        starts_at_us: micros(competition.starts_at),
        ends_at_us: micros(competition.ends_at),
        join_from_us: micros(competition.join_from),
        join_until_us: micros(competition.join_until),
        start_cash_won: competition.start_cash_won.0,
        entrants: view.entrants,
        most_entrants: competition.most_entrants.unwrap_or_default(),
        can_join: view.can_join,
        is_host: view.is_host,
        invite_code: code.unwrap_or_default(),
        entry: view.entry.map(entry),
        prizes: view.prizes.terms.into_iter().map(prize).collect(),
        award_at_us: view.prizes.award_at.map_or(0, micros),
        is_joining_closed: competition.is_joining_closed,
        shows_holdings: competition.shows_holdings,
        is_awarded: competition.awarded_at.is_some(),
        awards: view.prizes.awards.into_iter().map(award).collect(),
        can_object: view.prizes.can_object,
        objection: view.prizes.objection.map(objection),
    }
}

fn prize(prize: Prize) -> wire::Prize {
    wire::Prize {
        board: board_kind(&prize.board).into(),
        first_place: prize.first_place,
        last_place: prize.last_place,
        points: prize.points,
    }
}

fn award(award: Award) -> wire::Award {
    wire::Award {
        board: board_kind(&award.board).into(),
        place: award.place,
        points: award.points,
        is_withheld: award.is_withheld,
    }
}

fn board_kind(name: &str) -> wire::BoardKind {
    if name == BoardKind::Calm.as_str() {
        wire::BoardKind::Calm
    } else {
        wire::BoardKind::Return
    }
}

fn objection(objection: Objection) -> wire::Objection {
    let status = match objection.is_upheld {
        None => wire::ObjectionStatus::Pending,
        Some(false) => wire::ObjectionStatus::Dismissed,
        Some(true) => wire::ObjectionStatus::Upheld,
    };
    wire::Objection {
        text: objection.text,
        filed_at_us: micros(objection.filed_at),
        status: status.into(),
        answer: objection.answer.unwrap_or_default(),
    }
}

fn entry(entry: Entry) -> wire::CompetitionEntry {
    wire::CompetitionEntry {
        account_no: entry.account_no,
        account_id: entry.account_id.0,
        joined_at_us: micros(entry.joined_at),
        ranked_from_us: micros(entry.ranked_from),
        has_left: entry.has_left,
        equity_won: entry.equity.0,
        return_rate: Some(decimal(entry.return_rate.normalize())),
        buys: entry.activity.buys,
        items: entry.activity.items,
        days: entry.activity.days,
        needed_buys: entry.needed.buys,
        needed_items: entry.needed.items,
        needed_days: entry.needed.days,
    }
}

fn entrant_holdings(owned: EntrantHoldings) -> wire::EntrantHoldings {
    let holdings = owned.holdings.into_iter().map(|one| wire::EntrantHolding {
        code: one.code,
        name: one.name,
        market: proto::common::v1::Market::from(one.market).into(),
        weight: Some(decimal(one.weight.normalize())),
    });
    wire::EntrantHoldings {
        holdings: holdings.collect(),
        cash_weight: Some(decimal(owned.cash_weight.normalize())),
        as_of_us: micros(owned.as_of),
    }
}

fn board_view(board: Board, query: BoardQuery) -> wire::Board {
    let last = board.rows.last().map_or(0, |row| row.place);
    let is_last = match query {
        BoardQuery::After(_) => last >= board.ranked,
        BoardQuery::AroundMe => true,
    };
    wire::Board {
        next_after: if is_last { 0 } else { last },
        rows: board.rows,
        ranked: board.ranked,
        valued_at_us: board.valued_at.map_or(0, micros),
        mine: board.mine,
        is_final: board.is_final,
    }
}
