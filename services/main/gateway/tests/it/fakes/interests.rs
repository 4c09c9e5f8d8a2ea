//! Likes, searches and price alerts of a test: the member likes `005930`, `KRW-BTC` and product 28.

use std::sync::Arc;

use proto::market::v1::alert_service_server::AlertService;
use proto::market::v1::like_service_server::LikeService;
use proto::market::v1::search_history_service_server::SearchHistoryService;
use proto::market::v1::{
    Alerts, CreateAlertReply, CreateAlertRequest, DeleteAlertRequest, DeleteAlertResponse,
    ForgetSearchRequest, ItemPage, Likes, ListAlertsRequest, ListLikedItemsRequest,
    ListLikedProductsRequest, ListLikesRequest, ListSearchesRequest, NoteSearchRequest, Products,
    SearchHistory, SetItemLikeRequest, SetLikeResponse, SetProductLikeRequest,
};

use super::samples::market_data as samples;
use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { LikeService:
    set_item_like(SetItemLikeRequest) -> SetLikeResponse = |_| SetLikeResponse {};
    set_product_like(SetProductLikeRequest) -> SetLikeResponse = |_| SetLikeResponse {};
    list_likes(ListLikesRequest) -> Likes = |_| Likes {
        codes: vec!["005930".to_owned(), "KRW-BTC".to_owned()],
        product_ids: vec![28],
    };
    list_liked_items(ListLikedItemsRequest) -> ItemPage = |_| ItemPage {
        items: vec![samples::item("005930")],
        page: 1,
        total: 1,
    };
    list_liked_products(ListLikedProductsRequest) -> Products =
        |_| Products { products: vec![samples::product(28)] };
}

fake! { SearchHistoryService:
    list_searches(ListSearchesRequest) -> SearchHistory =
        |_| SearchHistory { texts: vec!["애플".to_owned()] };
    note_search(NoteSearchRequest) -> SearchHistory =
        |request| SearchHistory { texts: vec![request.text, "애플".to_owned()] };
    forget_search(ForgetSearchRequest) -> SearchHistory = |_| SearchHistory::default();
}

fake! { AlertService:
    create_alert(CreateAlertRequest) -> CreateAlertReply = |request| CreateAlertReply {
        alert: Some(samples::alert(&request)),
        replayed: request.request_id == "again-and-again",
    };
    list_alerts(ListAlertsRequest) -> Alerts = |_| Alerts {
        alerts: vec![samples::active_alert(), samples::fired_alert()],
    };
    delete_alert(DeleteAlertRequest) -> DeleteAlertResponse = |_| DeleteAlertResponse {};
}
