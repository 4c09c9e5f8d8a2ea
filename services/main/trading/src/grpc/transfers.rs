//! `TransferService`: transfers, what they can move, and the history of cash.

use bootstrap::grpc::Reply;
use kernel::Won;
use proto::convert::micros;
use proto::trading::v1 as wire;
use proto::trading::v1::transfer_service_server::TransferService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::digest::digest;
use super::parse;
use crate::accounts::unsettled::movable;
use crate::error::TradingError;
use crate::transfers::TransferTarget;
use crate::transfers::close::CloseAccount;
use crate::transfers::movements::{CashMovement, CashMovements, MovementAccount};
use crate::transfers::sheet::{TransferAccount, TransferSheet};
use crate::transfers::transfer::Transfer;

const DEFAULT_PAGE: usize = 20;
const MAX_PAGE: usize = 100;

#[tonic::async_trait]
impl TransferService for Service {
    async fn transfer(
        &self,
        request: Request<wire::TransferRequest>,
    ) -> Reply<wire::TransferReply> {
        let transfer = transfer(&request.into_inner())?;
        let store = self.store.clone();
        let moved = with_timeout(async move { store.transfer(&transfer).await });
        Ok(Response::new(moved.await?))
    }

    async fn get_transfer_sheet(
        &self,
        request: Request<wire::GetTransferSheetRequest>,
    ) -> Reply<wire::TransferSheet> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let account = parse::account(&request.account_no)?;
        let store = self.store.clone();
        let sheet = with_timeout(async move { store.transfer_sheet(member_id, &account).await });
        Ok(Response::new(sheet_view(sheet.await?)))
    }

    async fn list_cash_movements(
        &self,
        request: Request<wire::ListCashMovementsRequest>,
    ) -> Reply<wire::CashMovements> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let account = parse::optional_account(&request.account_no)?;
        let season = parse::season(request.season)?;
        let before = (request.before_id > 0).then_some(request.before_id);
        let size = match usize::try_from(request.size) {
            Ok(0) => DEFAULT_PAGE,
            Ok(size) if size <= MAX_PAGE => size,
            Ok(_) | Err(_) => return Err(TradingError::Malformed("size").into()),
        };
        let store = self.store.clone();
        let page = with_timeout(async move {
            let page = store.cash_movements(member_id, account.as_ref(), season, (before, size));
            page.await
        });
        Ok(Response::new(movements_view(page.await?)))
    }

    async fn close_account(
        &self,
        request: Request<wire::CloseAccountRequest>,
    ) -> Reply<wire::CloseAccountReply> {
        let close = close(&request.into_inner())?;
        let store = self.store.clone();
        let closed = with_timeout(async move { store.close_account(&close).await });
        Ok(Response::new(closed.await?))
    }
}

fn transfer(request: &wire::TransferRequest) -> Result<Transfer, TradingError> {
    if request.amount_won < 1 {
        return Err(TradingError::Malformed("amount_won"));
    }
    Ok(Transfer {
        member_id: member(request.member_id)?,
        request_id: parse::request_id(&request.request_id)?,
        digest: digest(request),
        from: parse::optional_account(&request.from_account_no)?
            .ok_or(TradingError::Malformed("from_account_no"))?,
        to: TransferTarget::parse(&request.to_account_no)
            .ok_or(TradingError::Malformed("to_account_no"))?,
        amount: Won(request.amount_won),
    })
}

fn close(request: &wire::CloseAccountRequest) -> Result<CloseAccount, TradingError> {
    Ok(CloseAccount {
        member_id: member(request.member_id)?,
        request_id: parse::request_id(&request.request_id)?,
        digest: digest(request),
        account: parse::optional_account(&request.account_no)?
            .ok_or(TradingError::Malformed("account_no"))?,
    })
}

fn sheet_view(sheet: TransferSheet) -> wire::TransferSheet {
    wire::TransferSheet {
        source: Some(account(sheet.source)),
        targets: sheet.targets.into_iter().map(account).collect(),
    }
}

fn account(account: TransferAccount) -> wire::TransferAccount {
    let available = Won(account.deposit.0 - account.held.0);
    wire::TransferAccount {
        is_open: account.account_no.is_some(),
        account_no: account
            .account_no
            .unwrap_or_else(|| account.code.as_str().to_owned()),
        account_name: account.name,
        deposit_won: account.deposit.0,
        held_won: account.held.0,
        unsettled_won: account.unsettled.0,
        transferable_won: movable(available, account.unsettled).0,
    }
}

fn movements_view(page: CashMovements) -> wire::CashMovements {
    wire::CashMovements {
        movements: page.movements.into_iter().map(movement).collect(),
        next_before_id: page.next_before.unwrap_or(0),
    }
}

fn movement(movement: CashMovement) -> wire::CashMovement {
    let no = |party: &Option<MovementAccount>| {
        let party = party.as_ref();
        party.map_or_else(String::new, |party| party.account_no.clone())
    };
    let name = |party: &Option<MovementAccount>| {
        let party = party.as_ref();
        party.map_or_else(String::new, |party| party.name.clone())
    };
    let deposit = |party: &Option<MovementAccount>| party.as_ref().and_then(|one| one.deposit);
    wire::CashMovement {
        movement_id: movement.id,
        kind: movement.kind,
        amount_won: movement.amount,
        from_account_no: no(&movement.from),
        from_account_name: name(&movement.from),
        from_deposit_won: deposit(&movement.from),
        to_account_no: no(&movement.to),
        to_account_name: name(&movement.to),
        to_deposit_won: deposit(&movement.to),
        occurred_at_us: micros(movement.occurred_at),
        request_id: movement.request_id.unwrap_or_default(),
    }
}
