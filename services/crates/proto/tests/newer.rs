//! What a process makes of messages of a newer version: fields that it does not know are passed
//! over in every message, and words of a list that it does not know are no word of the list.

use std::collections::BTreeSet;
use std::fmt::Debug;

use prost::Message;
use proto::common::v1::{Currency, Decimal, Market};
use proto::market::v1::{Dividend, SessionRecord, Snapshot, Tick, TickBatch, TickRecord};
use proto::market::v1::{SessionState, session_record::Kind, tick_record::Record};
use testkit::newer;

/// Reads a message that a newer version wrote.
fn is_read_by_an_older<M: Message + Default + PartialEq + Debug>(message: &M) {
    let bytes = newer::message(message);
    assert_eq!(M::decode(bytes.as_slice()).as_ref(), Ok(message));
    // Twice, as where two versions have added something.
    let bytes = [newer::unknown_fields(), bytes].concat();
    assert_eq!(M::decode(bytes.as_slice()).as_ref(), Ok(message));
}

macro_rules! messages {
    ($($package:ident: $($name:ident)+;)+) => {
        /// Every message there is, by package and name.
        const MESSAGES: &[(&str, &str)] = &[$($((stringify!($package), stringify!($name)),)+)+];

        #[test]
        fn unknown_fields_are_passed_over_in_every_message() {
            $($(is_read_by_an_older(&proto::$package::v1::$name::default());)+)+
        }
    };
}

messages! {
    common:
        Decimal Envelope Problem;
    auth:
        AskPasswordResetRequest AskPasswordResetResponse ChangePasswordRequest
        ChangePasswordResponse CheckSessionRequest CheckSessionResponse
        CheckSessionsRequest CheckSessionsResponse Device
        FinishTutorialRequest GetJwksRequest GetMemberRequest GetPushKeyRequest GetQuizFilterRequest JoinRequest
        Jwks ListPublicProfilesRequest LoginRequest LogoutRequest LogoutResponse Member MemberErased MemberJoined NoteClientRequest
        Noted PublicProfile PublicProfiles PushKey QuizFilter QuizFilterChanged RefreshRequest ResetPasswordRequest ResetPasswordResponse
        SeeWelcomePopupRequest SendEmailCodeRequest SendEmailCodeResponse Session SessionEnded
        SetAppearanceRequest SetQuizFilterRequest SubscribeRequest Subscribed UnsubscribeRequest Unsubscribed UpdateProfileRequest VerifyEmailRequest
        CountUnreadRequest GetNotificationSettingsRequest ListNotificationsRequest Notification
        NotificationChannels NotificationCreated NotificationPage NotificationSettings
        ReadNotificationsRequest SetNotificationSettingsRequest UnreadCount UnreadOfType;
    market:
        Alert Alerts CreateAlertReply CreateAlertRequest DeleteAlertRequest DeleteAlertResponse
        ListAlertsRequest MarketAlertFired
        BrowseItemsRequest Candle Candles CodeAuction CodeSplit CommodityPrice CompanyOutline
        DayBase Dividend Dividends ExchangeRate ExchangeRates ForgetSearchRequest
        GetCandlesRequest GetCommodityPriceRequest GetCompanyOutlineRequest
        GetExchangeRatesRequest GetGoldTrendRequest GetInstrumentRequest GetMarketInfoRequest
        GetProductRequest GetProductTrendRequest GetQuotesRequest GetSiseJwksRequest
        GetSnapshotRequest GetTrendRequest GoldPremium GoldTrend IndexConstituent
        IndexClose IndexCloses IndexConstituents IndexHistory IndexValue Instrument InstrumentDetail InterestMonth InterestQuote InterestQuotes QuotedInterest QuoteInterestsRequest Item ItemPage Items LikedCodes Likes MarketAlertFired
        ListDividendsRequest ListIndexClosesRequest ListIndexConstituentsRequest ListInstrumentsRequest
        ListInstrumentsResponse
        ListLikedItemsRequest ListLikedProductsRequest ListLikesRequest ListPopularRequest
        ListPricesAtRequest PriceAt PricesAt DayVolume DayVolumes ListDayVolumesRequest
        ListProductsRequest ListSearchesRequest ListSparklinesRequest ListSplitsRequest MarketInfo
        NoteItemOpenedRequest NoteItemOpenedResponse NoteSearchRequest Product ProductDetail
        ProductOption ProductPage ProductTrend Products Quote QuoteInterestRequest RateAverage
        RateMove SearchHistory SearchItemsRequest SearchProductsRequest SectorRate SessionRecord
        SetItemLikeRequest SetLikeResponse SetProductLikeRequest SiseJwks SiseMember SiseToken
        SiseTokenRequest Snapshot Sparkline Sparklines Split Splits Tick TickBatch TickRecord Trend VenueSession;
    trading:
        Account AccountOpened AccountRef AccountSummary Award FileObjectionRequest Levels ListLevelsRequest MemberLevel Objection Prize Balances Board BoardRow BuyItemReply BuyItemRequest
        CloseLeagueRequest Competition CompetitionEntry CompetitionMode Competitions CreateLeagueReply
        CreateLeagueRequest EntrantHolding EntrantHoldings GetBoardRequest GetCompetitionModeRequest GetCompetitionRequest
        JoinCompetitionReply JoinCompetitionRequest LeaveCompetitionReply LeaveCompetitionRequest
        ListCompetitionsRequest ListEntrantHoldingsRequest SetCompetitionModeRequest
        CancelInfo CancelOrderRequest CapitalFlows CashMovement CashMovements CloseAccountReply
        CloseAccountRequest CloseContractReply CloseContractRequest CloseRequestRequest
        ConcentrationNoticed Contract ContractClosed ContractReply ContractSchedule Contracts DayTradedDollars Dividend Dividends
        Equity EquityDay ExchangeCashReply ExchangeCashRequest Fill FillNotice GetAccountSummaryRequest
        GetBalancesRequest GetContractRequest GetEquityRequest GetOrderCapacityRequest GetOrderRequest
        GetPointsRequest GetTransferSheetRequest Holding HoldingEnded Holdings Item ItemPurchased Items
        ListCashMovementsRequest ListContractsRequest ListDividendsRequest ListHoldingsRequest
        ListItemsRequest ListMemberFillsRequest ListOrderHistoryRequest ListPointChangesRequest
        ListProfitsRequest ListSeasonsRequest
        ListWaitingOrdersRequest MemberFills ModifyOrderRequest MovePointsReply MovePointsRequest
        OpenContractRequest Order OrderCapacity OrderChanged OrderDetail OrderFilled OrderPage
        OrderPreview OrderReply Orders OwnedItem PastSeason PayIntoContractRequest PlaceOrderRequest
        PointChange PointChanges Points PreviewOrderRequest ProfitRow ProfitSummary Profits Purchase ResetReply ResetRequest ScheduledMonth
        ScheduledPayment Seasons SeeTransferPopupReply SeeTransferPopupRequest SpendPointsReply
        SpendPointsRequest TickBand TransferAccount TransferReply TransferRequest TransferSheet
        CompetitionEnded CompetitionRanked CompetitionStarted ContractMatured ContractMissed OrderEnded;
    education:
        AnswerRequest AnswerResult Article ArticleCard ArticleHit ArticleHits ArticlePage Calendar
        CalendarDay ClosedContract Completion Concentration Day FreezesChanged GetCalendarRequest GetCompletionRequest
        GetDayRequest GetProgressRequest GetTermRequest LevelCount ListArticlesRequest
        ListTermsRequest ListThemesRequest ListTradeCardsRequest OpenArticleRequest
        OpenCardQuizRequest OpenRandomSetRequest OpenReviewsRequest OpenThemeSetRequest
        PointsEarned Progress Quiz QuizOption QuizSet Repair RepairStreakRequest RestDay
        SearchArticlesRequest SetProgress SetRestDayRequest SnippetPart Solution Streak StreakAtRisk Term Terms Theme Themes Totals TradeCard TradeCards;
    community:
        Activity ActivityPage AppealRequest Appealed BlockedMembers Comment CommentPage CountNewPostsRequest
        GetHidingRequest GetStandingRequest Hiding ListReportsRequest Mute OwnReport ReportPage
        Sanction SetMuteRequest Standing TextAppeal
        CreateCommentRequest CreatePostRequest CreateReplyRequest DeleteCommentRequest
        DeletePictureRequest DeletePostRequest DeletedComment DeletedPicture DeletedPost GetActivityRequest GetCommentRequest
        GetPostRequest InstrumentTag LikeCommentRequest LikePostRequest Likes
        ListActivityRequest ListBlockedRequest ListCommentsRequest ListPostsRequest
        ListRepliesRequest ListTopPostsRequest NewPosts Picture PictureHead PicturePart Post PostPage ReadPictureRequest Relation ReportRequest
        Reported SetRelationRequest UpdateCommentRequest UpdatePostRequest UploadPictureRequest WrittenComment
        WrittenPost
        CommentEdited CommentWithdrawn CommentWritten MemberBlocked PostHidden PostLiked PostWithdrawn ReportDecided;
}

#[test]
fn no_message_is_forgotten_here() {
    let mut written = BTreeSet::new();
    for package in std::fs::read_dir("../../../proto/seedup").unwrap() {
        let folder = package.unwrap().path();
        let package = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for file in std::fs::read_dir(folder.join("v1")).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let names = text
                .lines()
                .filter_map(|line| line.strip_prefix("message "));
            let names = names.filter_map(|rest| rest.split_whitespace().next());
            written.extend(names.map(|name| (package.to_owned(), name.to_owned())));
        }
    }
    let listed = MESSAGES.iter();
    let listed: BTreeSet<(String, String)> = listed
        .map(|(package, name)| ((*package).to_owned(), (*name).to_owned()))
        .collect();
    assert_eq!(written, listed);
}

#[test]
fn unknown_fields_are_passed_over_at_every_depth() {
    let dividend = Dividend {
        code: "005930".to_owned(),
        amount: Some(Decimal {
            value: "361".to_owned(),
        }),
        ..Dividend::default()
    };
    let session = SessionRecord {
        kind: Kind::Dividend.into(),
        dividend: Some(dividend.clone()),
        ..SessionRecord::default()
    };
    let tick = Tick {
        code: "005930".to_owned(),
        price_units: 71_300,
        ..Tick::default()
    };
    is_read_by_an_older(&dividend);
    is_read_by_an_older(&session);
    let records = [Record::Session(session), Record::Tick(tick.clone())].map(|record| TickRecord {
        record: Some(record),
    });
    is_read_by_an_older(&TickBatch {
        producer: "builtin".to_owned(),
        epoch: 1,
        batch_seq: 2,
        closed_at_us: 3,
        records: records.to_vec(),
    });
    is_read_by_an_older(&Snapshot {
        ticks: vec![tick],
        ..Snapshot::default()
    });
}

#[test]
fn an_unknown_word_is_never_taken_for_one_that_is_known() {
    let tick = Tick {
        market: 4_711,
        currency: 4_711,
        session: 4_711,
        ..Tick::default()
    };
    let read = Tick::decode(newer::message(&tick).as_slice()).unwrap();
    assert!(read.market().to_kernel().is_err());
    assert!(read.currency().to_kernel().is_err());
    assert_eq!(read.session(), SessionState::Unspecified);
    assert!(SessionState::try_from(read.session).is_err());
    // What was unknown goes on unchanged when the message is passed on.
    assert_eq!(
        (read.market, read.currency, read.session),
        (4_711, 4_711, 4_711)
    );
    assert_eq!(Market::Unspecified.to_kernel().ok(), None);
    assert_eq!(Currency::Unspecified.to_kernel().ok(), None);
}
