//! The table of public errors: reason, code, HTTP status, and the message for errors of services that
//! carry none.

use actix_web::http::StatusCode;

macro_rules! reasons {
    ($($variant:ident = $code:literal $status:ident $text:literal $sentence:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Reason {
            $(#[doc = $text] $variant,)+
        }

        impl Reason {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// What clients decide by.
            #[must_use]
            pub fn code(self) -> u32 {
                match self { $(Self::$variant => $code,)+ }
            }

            #[must_use]
            pub fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)+ }
            }

            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// Korean, for members.
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)+ }
            }
        }
    };
}

reasons! {
    LoginFailed = 1001 UNAUTHORIZED "LOGIN_FAILED" "이메일이나 비밀번호가 맞지 않아요.";
    EmailTaken = 1002 CONFLICT "EMAIL_TAKEN" "이미 가입된 이메일이에요.";
    NicknameTaken = 1003 CONFLICT "NICKNAME_TAKEN" "이미 쓰고 있는 닉네임이에요.";
    TooManyAttempts = 1004 TOO_MANY_REQUESTS "TOO_MANY_ATTEMPTS" "시도가 너무 많아요. 잠시 뒤에 다시 해 주세요.";
    AuthBusy = 1005 SERVICE_UNAVAILABLE "AUTH_BUSY" "지금은 로그인이 몰려 있어요. 잠시 뒤에 다시 해 주세요.";
    InvalidEmail = 1010 UNPROCESSABLE_ENTITY "INVALID_EMAIL" "이메일 형식이 올바르지 않아요.";
    WeakPassword = 1011 UNPROCESSABLE_ENTITY "WEAK_PASSWORD" "더 안전한 비밀번호가 필요해요.";
    InvalidNickname = 1012 UNPROCESSABLE_ENTITY "INVALID_NICKNAME" "쓸 수 없는 닉네임이에요.";
    InvalidBirthYear = 1013 UNPROCESSABLE_ENTITY "INVALID_BIRTH_YEAR" "태어난 해가 올바르지 않아요.";
    InvalidGender = 1014 UNPROCESSABLE_ENTITY "INVALID_GENDER" "성별 값이 올바르지 않아요.";
    ConsentRequired = 1015 UNPROCESSABLE_ENTITY "CONSENT_REQUIRED" "필수 약관에 동의해 주세요.";
    NicknameTooSoon = 1016 UNPROCESSABLE_ENTITY "NICKNAME_TOO_SOON" "닉네임은 30일에 한 번 바꿀 수 있어요.";
    WrongPassword = 1017 UNAUTHORIZED "WRONG_PASSWORD" "지금 쓰는 비밀번호가 맞지 않아요.";
    ResetLinkInvalid = 1018 UNPROCESSABLE_ENTITY "RESET_LINK_INVALID" "쓸 수 없는 링크예요. 메일을 다시 받아 주세요.";
    CodeInvalid = 1019 UNPROCESSABLE_ENTITY "CODE_INVALID" "인증번호가 맞지 않아요.";
    InvalidQuizFilter = 1020 UNPROCESSABLE_ENTITY "INVALID_QUIZ_FILTER" "고를 수 없는 퀴즈 조건이에요.";
    AccessExpired = 1203 UNAUTHORIZED "Authentication is expired" "로그인 시간이 지났어요.";
    SessionExpired = 1203 UNAUTHORIZED "Expired" "로그인이 만료됐어요. 다시 로그인해 주세요.";
    InvalidAuthentication = 1205 UNAUTHORIZED "Authentication is invalid" "로그인이 필요해요.";
    ForbiddenMember = 2001 FORBIDDEN "FORBIDDEN_MEMBER" "다른 회원의 정보는 볼 수 없어요.";
    MemberNotFound = 2002 NOT_FOUND "MEMBER_NOT_FOUND" "회원을 찾을 수 없어요.";
    ItemNotOwned = 2003 UNPROCESSABLE_ENTITY "ITEM_NOT_OWNED" "가진 아이템만 쓸 수 있어요.";
    InvalidPushSubscription = 2021 UNPROCESSABLE_ENTITY "INVALID_PUSH_SUBSCRIPTION" "이 기기의 알림 주소를 확인할 수 없어요.";
    PushUnavailable = 2022 UNPROCESSABLE_ENTITY "PUSH_UNAVAILABLE" "지금은 이 기기로 알림을 보낼 수 없어요.";
    InvalidNotificationType = 2010 BAD_REQUEST "INVALID_NOTIFICATION_TYPE" "알 수 없는 알림 종류예요.";
    InvalidQuietHours = 2011 BAD_REQUEST "INVALID_QUIET_HOURS" "방해 금지 시간이 올바르지 않아요.";
    TooManyNotifications = 2012 BAD_REQUEST "TOO_MANY_NOTIFICATIONS" "알림은 한 번에 100개까지 읽을 수 있어요.";
    AccountForbidden = 3001 FORBIDDEN "ACCOUNT_FORBIDDEN" "쓸 수 없는 계좌예요.";
    CompetitionOnlyStockEtf = 3002 UNPROCESSABLE_ENTITY "COMPETITION_ONLY_STOCK_ETF" "대회에서는 주식과 ETF만 거래할 수 있어요.";
    NotTradable = 3003 UNPROCESSABLE_ENTITY "NOT_TRADABLE" "지금은 거래할 수 없는 종목이에요.";
    RiskAckRequired = 3004 UNPROCESSABLE_ENTITY "RISK_ACK_REQUIRED" "투자 유의 종목이에요. 위험을 확인해 주세요.";
    InvalidQuantity = 3005 UNPROCESSABLE_ENTITY "INVALID_QUANTITY" "주문할 수 없는 수량이에요.";
    InvalidTick = 3006 UNPROCESSABLE_ENTITY "INVALID_TICK" "호가 단위에 맞지 않는 가격이에요.";
    PriceLimit = 3007 UNPROCESSABLE_ENTITY "PRICE_LIMIT" "가격 제한폭을 벗어난 가격이에요.";
    MinAmount = 3008 UNPROCESSABLE_ENTITY "MIN_AMOUNT" "최소 주문 금액보다 적어요.";
    InsufficientCash = 3009 UNPROCESSABLE_ENTITY "INSUFFICIENT_CASH" "주문할 수 있는 금액이 부족해요.";
    InsufficientQuantity = 3010 UNPROCESSABLE_ENTITY "INSUFFICIENT_QTY" "팔 수 있는 수량이 부족해요.";
    TooManyOpenOrders = 3011 UNPROCESSABLE_ENTITY "TOO_MANY_OPEN_ORDERS" "기다리는 주문이 너무 많아요.";
    OrderRate = 3012 TOO_MANY_REQUESTS "ORDER_RATE" "주문이 너무 잦아요. 잠시 뒤에 다시 해 주세요.";
    SlippageGuard = 3013 UNPROCESSABLE_ENTITY "SLIPPAGE_GUARD" "보던 가격과 지금 가격의 차이가 커서 주문하지 않았어요.";
    MaxAmount = 3014 UNPROCESSABLE_ENTITY "MAX_AMOUNT" "한 번에 주문할 수 있는 금액을 넘었어요.";
    OrderAlreadyFilled = 3015 CONFLICT "ORDER_ALREADY_FILLED" "이미 체결된 주문이에요.";
    OrderNotFound = 3016 NOT_FOUND "ORDER_NOT_FOUND" "주문을 찾을 수 없어요.";
    RequestIdReused = 3017 CONFLICT "REQ_SID_REUSED" "다른 요청에 쓴 요청 번호예요.";
    RequestIdInProgress = 3018 CONFLICT "REQ_SID_IN_PROGRESS" "같은 요청을 처리하고 있어요.";
    OrderState = 3019 CONFLICT "ORDER_STATE" "이미 끝난 주문이에요.";
    MarketUnavailable = 3020 SERVICE_UNAVAILABLE "MARKET_UNAVAILABLE" "지금은 시세를 확인할 수 없어요.";
    ModifyNothing = 3022 UNPROCESSABLE_ENTITY "MODIFY_NOTHING" "바뀐 내용이 없어요.";
    OrderChanged = 3023 CONFLICT "ORDER_CHANGED" "그사이 주문이 달라졌어요. 확인하고 다시 정정해 주세요.";
    OrderNotReceived = 3024 UNPROCESSABLE_ENTITY "ORDER_NOT_RECEIVED" "주문이 접수되지 않았어요. 다시 주문해 주세요.";
    TransferSameAccount = 3025 UNPROCESSABLE_ENTITY "TRANSFER_SAME_ACCOUNT" "보내는 계좌와 받는 계좌가 같아요.";
    TransferNotAllowed = 3026 UNPROCESSABLE_ENTITY "TRANSFER_NOT_ALLOWED" "예금·적금 계좌와 대회 계좌로는 이체할 수 없어요.";
    TransferLimit = 3027 UNPROCESSABLE_ENTITY "TRANSFER_LIMIT" "이체는 하루에 100번까지 할 수 있어요.";
    AccountNotEmpty = 3028 UNPROCESSABLE_ENTITY "ACCOUNT_NOT_EMPTY" "돈이나 보유 자산, 주문, 받을 배당이 남아 있어 닫을 수 없어요.";
    AccountNotClosable = 3029 UNPROCESSABLE_ENTITY "ACCOUNT_NOT_CLOSABLE" "닫을 수 없는 계좌예요.";
    InsufficientPoints = 3040 UNPROCESSABLE_ENTITY "INSUFFICIENT_POINTS" "학습포인트가 부족해요.";
    CompetitionLocked = 3041 UNPROCESSABLE_ENTITY "COMPETITION_LOCKED" "대회에서는 쓸 수 없어요.";
    InsufficientCashAsset = 3042 UNPROCESSABLE_ENTITY "INSUFFICIENT_CASH_ASSET" "캐시가 부족해요.";
    ItemNotFound = 3043 NOT_FOUND "ITEM_NOT_FOUND" "없는 아이템이에요.";
    ItemNotOnSale = 3044 UNPROCESSABLE_ENTITY "ITEM_NOT_ON_SALE" "지금은 살 수 없는 아이템이에요.";
    ItemLimit = 3045 UNPROCESSABLE_ENTITY "ITEM_LIMIT" "더 가질 수 없는 아이템이에요.";
    SoldOut = 3046 UNPROCESSABLE_ENTITY "SOLD_OUT" "모두 팔린 아이템이에요.";
    ContractClosed = 3050 CONFLICT "CONTRACT_CLOSED" "이미 끝난 계약이에요.";
    PayoutChanged = 3051 CONFLICT "PAYOUT_CHANGED" "그사이 받을 금액이 달라졌어요. 확인하고 다시 해지해 주세요.";
    TooManyContracts = 3052 UNPROCESSABLE_ENTITY "TOO_MANY_CONTRACTS" "예금과 적금은 50개까지 가입할 수 있어요.";
    NoPaymentDue = 3053 UNPROCESSABLE_ENTITY "NO_PAYMENT_DUE" "지금 낼 회차가 없어요.";
    MonthlyCap = 3054 UNPROCESSABLE_ENTITY "MONTHLY_CAP" "이번 달에 넣을 수 있는 금액을 넘었어요.";
    SeasonNotFound = 3055 NOT_FOUND "SEASON_NOT_FOUND" "그런 시즌이 없어요.";
    ResetTooSoon = 3056 UNPROCESSABLE_ENTITY "RESET_TOO_SOON" "초기화는 7일에 한 번 할 수 있어요.";
    NoSeasonTicket = 3057 UNPROCESSABLE_ENTITY "NO_SEASON_TICKET" "다시 시작 티켓이 없어요.";
    SeasonChanged = 3058 CONFLICT "SEASON_CHANGED" "이미 다른 시즌이 시작됐어요. 확인하고 다시 초기화해 주세요.";
    ContractLimit = 3059 UNPROCESSABLE_ENTITY "CONTRACT_LIMIT" "예금과 적금은 하루에 100번까지 가입할 수 있어요.";
    CompetitionNotFound = 3060 NOT_FOUND "COMPETITION_NOT_FOUND" "대회를 찾을 수 없어요.";
    CompetitionJoinClosed = 3061 UNPROCESSABLE_ENTITY "COMPETITION_JOIN_CLOSED" "지금은 참여할 수 없는 대회예요.";
    CompetitionJoined = 3062 CONFLICT "COMPETITION_JOINED" "이미 참여하고 있는 대회예요.";
    CompetitionLeft = 3063 UNPROCESSABLE_ENTITY "COMPETITION_LEFT" "나온 대회에는 다시 참여할 수 없어요.";
    CompetitionFull = 3064 UNPROCESSABLE_ENTITY "COMPETITION_FULL" "모두 모인 대회예요.";
    CompetitionNotJoined = 3065 UNPROCESSABLE_ENTITY "COMPETITION_NOT_JOINED" "참여한 대회에서만 대회 모드를 쓸 수 있어요.";
    CompetitionNotOngoing = 3066 UNPROCESSABLE_ENTITY "COMPETITION_NOT_ONGOING" "대회 기간에만 주문할 수 있어요.";
    CompetitionOver = 3067 CONFLICT "COMPETITION_OVER" "이미 끝난 대회예요.";
    TooManyLeagues = 3068 UNPROCESSABLE_ENTITY "TOO_MANY_LEAGUES" "리그는 한 번에 5개까지 열 수 있어요.";
    CompetitionPrice = 3069 UNPROCESSABLE_ENTITY "COMPETITION_PRICE" "대회에서는 1,000원이나 1달러보다 싼 종목을 살 수 없어요.";
    CompetitionWarning = 3070 UNPROCESSABLE_ENTITY "COMPETITION_WARNING" "대회에서는 투자 경고·위험 종목을 살 수 없어요.";
    CompetitionVolume = 3071 UNPROCESSABLE_ENTITY "COMPETITION_VOLUME" "대회에서는 하루 거래량의 10%까지만 주문할 수 있어요.";
    CompetitionConcentration = 3072 UNPROCESSABLE_ENTITY "COMPETITION_CONCENTRATION" "대회에서는 한 종목에 자산의 40%까지만 담을 수 있어요.";
    CompetitionPractice = 3073 UNPROCESSABLE_ENTITY "COMPETITION_PRACTICE" "연습 리그는 나갈 수 없어요.";
    CompetitionObjectionClosed = 3074 UNPROCESSABLE_ENTITY "COMPETITION_OBJECTION_CLOSED" "이의 제기 기간이 아니에요.";
    CompetitionObjected = 3075 CONFLICT "COMPETITION_OBJECTED" "이의 제기는 대회마다 한 번 할 수 있어요.";
    CompetitionHoldingsHidden = 3076 FORBIDDEN "COMPETITION_HOLDINGS_HIDDEN" "이 대회는 보유 종목을 공개하지 않아요.";
    CompetitionEntrantNotFound = 3077 NOT_FOUND "COMPETITION_ENTRANT_NOT_FOUND" "이 대회에 참여한 사람이 아니에요.";
    InstrumentNotFound = 4001 NOT_FOUND "INSTRUMENT_NOT_FOUND" "종목을 찾을 수 없어요.";
    CandlesUnavailable = 4002 SERVICE_UNAVAILABLE "CANDLES_UNAVAILABLE" "지금은 차트를 볼 수 없어요.";
    OutlineNotFound = 4003 NOT_FOUND "OUTLINE_NOT_FOUND" "기업 개요가 없는 종목이에요.";
    ItemKindMismatch = 4005 UNPROCESSABLE_ENTITY "ITEM_KIND_MISMATCH" "종목의 종류가 달라요.";
    TooManyLikes = 4006 UNPROCESSABLE_ENTITY "TOO_MANY_LIKES" "관심 종목은 500개까지 담을 수 있어요.";
    ProductNotFound = 4007 NOT_FOUND "PRODUCT_NOT_FOUND" "상품을 찾을 수 없어요.";
    InvalidAmount = 4008 UNPROCESSABLE_ENTITY "INVALID_AMOUNT" "가입할 수 없는 금액이에요.";
    TermNotOffered = 4009 UNPROCESSABLE_ENTITY "TERM_NOT_OFFERED" "이 상품에 없는 기간이에요.";
    AlertValue = 4010 UNPROCESSABLE_ENTITY "ALERT_VALUE" "알림을 받을 수 없는 값이에요.";
    AlertAlreadyTrue = 4011 UNPROCESSABLE_ENTITY "ALERT_ALREADY_TRUE" "지금 가격이 이미 그 조건이에요. 다른 값을 정해 주세요.";
    TooManyAlerts = 4012 UNPROCESSABLE_ENTITY "TOO_MANY_ALERTS" "가격 알림은 50개까지 받을 수 있어요.";
    AlertNotFound = 4013 NOT_FOUND "ALERT_NOT_FOUND" "가격 알림을 찾을 수 없어요.";
    AlertsFull = 4014 UNPROCESSABLE_ENTITY "ALERTS_FULL" "지금은 가격 알림이 가득 찼어요. 나중에 다시 만들어 주세요.";
    PostNotFound = 5001 NOT_FOUND "POST_NOT_FOUND" "찾을 수 없는 글이에요.";
    PostDeleted = 5002 NOT_FOUND "POST_DELETED" "삭제된 글이에요.";
    CommentNotFound = 5003 NOT_FOUND "COMMENT_NOT_FOUND" "찾을 수 없는 댓글이에요.";
    PageTooFar = 5004 BAD_REQUEST "PAGE_TOO_FAR" "여기까지만 볼 수 있어요.";
    CursorUnknown = 5005 BAD_REQUEST "CURSOR_UNKNOWN" "이어 볼 자리가 올바르지 않아요. 처음부터 다시 불러와 주세요.";
    TextLength = 5006 UNPROCESSABLE_ENTITY "TEXT_LENGTH" "글이 비었거나 너무 길어요.";
    WritingRate = 5007 TOO_MANY_REQUESTS "WRITING_RATE" "글을 너무 자주 쓰고 있어요. 잠시 뒤에 다시 써 주세요.";
    FirstDayLimit = 5008 UNPROCESSABLE_ENTITY "FIRST_DAY_LIMIT" "가입한 첫날에는 글을 3개까지 쓸 수 있어요.";
    LinkNotAllowed = 5009 UNPROCESSABLE_ENTITY "LINK_NOT_ALLOWED" "링크는 쓸 수 없어요.";
    ContactDetails = 5010 UNPROCESSABLE_ENTITY "CONTACT_DETAILS" "전화번호나 오픈채팅은 쓸 수 없어요.";
    Solicitation = 5011 UNPROCESSABLE_ENTITY "SOLICITATION" "투자를 권하거나 모집하는 글은 쓸 수 없어요.";
    RepeatedText = 5012 UNPROCESSABLE_ENTITY "REPEATED_TEXT" "같은 글을 반복해서 쓸 수 없어요.";
    TagUnknown = 5013 UNPROCESSABLE_ENTITY "TAG_UNKNOWN" "붙일 수 없는 태그예요.";
    ImageUnknown = 5014 UNPROCESSABLE_ENTITY "IMAGE_UNKNOWN" "붙일 수 없는 사진이에요.";
    CategoryNotAllowed = 5015 FORBIDDEN "CATEGORY_NOT_ALLOWED" "공지는 운영자만 쓸 수 있어요.";
    NotToOneself = 5016 UNPROCESSABLE_ENTITY "NOT_TO_ONESELF" "나에게는 할 수 없어요.";
    WritingSuspended = 5030 UNPROCESSABLE_ENTITY "WRITING_SUSPENDED" "운영 원칙을 어겨 지금은 글과 댓글을 쓸 수 없어요.";
    NotHidden = 5031 UNPROCESSABLE_ENTITY "NOT_HIDDEN" "가려진 글에만 이의를 제기할 수 있어요.";
    AlreadyAppealed = 5032 CONFLICT "ALREADY_APPEALED" "이의 제기는 글마다 한 번 할 수 있어요.";
    TooManyImages = 5040 UNPROCESSABLE_ENTITY "TOO_MANY_IMAGES" "글에는 사진을 5장, 댓글에는 2장까지 붙일 수 있어요.";
    PictureType = 5041 UNSUPPORTED_MEDIA_TYPE "PICTURE_TYPE" "JPG, PNG, WebP 사진만 올릴 수 있어요.";
    PictureTooLarge = 5042 PAYLOAD_TOO_LARGE "PICTURE_TOO_LARGE" "사진이 너무 커요. 5MB, 4,000만 화소까지 올릴 수 있어요.";
    PictureBroken = 5043 UNPROCESSABLE_ENTITY "PICTURE_BROKEN" "열 수 없는 사진이에요.";
    PictureNotFound = 5044 NOT_FOUND "PICTURE_NOT_FOUND" "찾을 수 없는 사진이에요.";
    UploadLimit = 5045 TOO_MANY_REQUESTS "UPLOAD_LIMIT" "오늘은 사진을 더 올릴 수 없어요.";
    StudyNotFound = 6001 NOT_FOUND "STUDY_NOT_FOUND" "찾을 수 없는 학습이에요.";
    TooManyAnswers = 6002 UNPROCESSABLE_ENTITY "TOO_MANY_ANSWERS" "고른 답이 너무 많아요.";
    InvalidAnswer = 6003 UNPROCESSABLE_ENTITY "INVALID_ANSWER" "고를 수 없는 답이에요.";
    ReadingTooShort = 6004 UNPROCESSABLE_ENTITY "READING_TOO_SHORT" "조금 더 읽은 뒤에 끝낼 수 있어요.";
    ArticleNotCompleted = 6005 UNPROCESSABLE_ENTITY "ARTICLE_NOT_COMPLETED" "글을 다 읽은 뒤에 알려 주세요.";
    RepairNotPossible = 6006 UNPROCESSABLE_ENTITY "REPAIR_NOT_POSSIBLE" "지금은 되살릴 기록이 없어요.";
    Malformed = 9001 BAD_REQUEST "MALFORMED" "요청 형식이 올바르지 않아요.";
    NotFound = 9002 NOT_FOUND "NOT_FOUND" "찾을 수 없는 주소예요.";
    MethodNotAllowed = 9003 METHOD_NOT_ALLOWED "METHOD_NOT_ALLOWED" "쓸 수 없는 요청 방식이에요.";
    PayloadTooLarge = 9004 PAYLOAD_TOO_LARGE "PAYLOAD_TOO_LARGE" "보낸 내용이 너무 커요.";
    UnsupportedMediaType = 9005 UNSUPPORTED_MEDIA_TYPE "UNSUPPORTED_MEDIA_TYPE" "JSON으로 보내 주세요.";
    RateLimited = 9006 TOO_MANY_REQUESTS "RATE_LIMITED" "요청이 너무 많아요. 잠시 뒤에 다시 해 주세요.";
    Unavailable = 9007 SERVICE_UNAVAILABLE "UNAVAILABLE" "지금은 연결할 수 없어요. 잠시 뒤에 다시 해 주세요.";
    Deadline = 9008 SERVICE_UNAVAILABLE "DEADLINE" "응답이 늦어지고 있어요. 잠시 뒤에 다시 해 주세요.";
    Internal = 9009 INTERNAL_SERVER_ERROR "INTERNAL" "문제가 생겼어요. 잠시 뒤에 다시 해 주세요.";
    UriTooLong = 9010 URI_TOO_LONG "URI_TOO_LONG" "주소가 너무 길어요.";
    HeadersTooLarge = 9011 REQUEST_HEADER_FIELDS_TOO_LARGE "HEADERS_TOO_LARGE" "요청 헤더가 너무 커요.";
    RequestTimeout = 9012 REQUEST_TIMEOUT "REQUEST_TIMEOUT" "요청이 끝까지 오지 않았어요.";
    ForbiddenOrigin = 9013 FORBIDDEN "FORBIDDEN_ORIGIN" "다른 사이트에서 보낸 요청은 받을 수 없어요.";
    Maintenance = 9014 SERVICE_UNAVAILABLE "MAINTENANCE" "지금은 점검 중이에요. 잠시 뒤에 다시 해 주세요.";
}

impl Reason {
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|reason| reason.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_are_unique_and_only_the_two_expiries_share_a_code() {
        let mut codes: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for reason in Reason::ALL {
            assert_eq!(Reason::parse(reason.as_str()), Some(*reason));
            codes
                .entry(reason.code())
                .or_default()
                .push(reason.as_str());
        }
        let shared: Vec<_> = codes
            .into_iter()
            .filter(|(_, names)| names.len() > 1)
            .collect();
        assert_eq!(
            shared,
            [(1203, vec!["Authentication is expired", "Expired"])]
        );
    }

    #[test]
    fn reasons_are_upper_snake_except_three_given_ones() {
        let given = [
            "Authentication is expired",
            "Expired",
            "Authentication is invalid",
        ];
        for reason in Reason::ALL {
            let text = reason.as_str();
            let upper_snake = text
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            assert!(upper_snake || given.contains(&text), "{text}");
            assert!(!reason.sentence().is_empty());
        }
    }

    #[test]
    fn the_status_follows_the_family_of_the_code() {
        for reason in Reason::ALL {
            let status = reason.status().as_u16();
            assert!((400..=503).contains(&status), "{reason:?}");
            assert!(status != 500 || *reason == Reason::Internal, "{reason:?}");
        }
    }
}
