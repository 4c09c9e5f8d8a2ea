use insta::assert_snapshot;
use tonic::Code;

use crate::test_gateway::{TestGateway, shown};

#[actix_web::test]
async fn a_product_has_the_names_of_the_contract() {
    let gateway = TestGateway::open().await;
    let answer = gateway.get_anonymously("/api/v1/product/28").await;
    assert_snapshot!(shown(&answer), @r#"
    {
      "product": {
        "sid": 28,
        "prdtNm": "카카오뱅크 정기예금",
        "prdtTcd": "03",
        "bankCd": "090",
        "bankNm": "카카오뱅크",
        "intrRateType": "01",
        "rsrvType": null,
        "saveTrm": 12,
        "intrRate": 3.3,
        "intrRate2": 3.3,
        "minAmt": 1000000,
        "maxAmt": null,
        "joinConditions": "우대조건 없음",
        "rateMonth": "202404",
        "like": false
      },
      "options": [
        {
          "saveTrm": 12,
          "intrRateType": "01",
          "rsrvType": null,
          "intrRate": 3.3,
          "intrRate2": null
        }
      ],
      "depositInsuranceLimit": 100000000,
      "taxRate": 15.4
    }
    "#);
}

#[actix_web::test]
async fn interest_is_computed_by_the_service() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/product/28/interest?amount=10000000&saveTrm=12&intrRateType=01&best=true";
    assert_snapshot!(shown(&gateway.get_anonymously(path).await), @r#"
    {
      "principal": 10000000,
      "interestBeforeTax": 330000,
      "tax": 50820,
      "interestAfterTax": 279180,
      "payout": 10279180,
      "appliedRate": 3.3,
      "saveTrm": 12,
      "intrRateType": "01",
      "schedule": [
        {
          "month": 1,
          "paid": 10000000,
          "interest": 27500
        }
      ]
    }
    "#);
    let asked = gateway.scenario.take_calls().join("\n");
    assert!(asked.contains("best: true"), "{asked}");
    let refused = bootstrap::problem::status(
        Code::FailedPrecondition,
        "INVALID_AMOUNT",
        "1,000,000원부터 가입할 수 있어요.",
        [("least", "1000000".to_owned())],
    );
    gateway.scenario.refuse("quote_interest", refused);
    gateway
        .get_anonymously(path)
        .await
        .assert_problem(422, 4008);
    let bare = "/api/v1/product/28/interest";
    gateway
        .get_anonymously(bare)
        .await
        .assert_problem(400, 9001);
}

#[actix_web::test]
async fn a_blank_search_finds_nothing_without_a_call() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/product/search/get-product-list?searchTxt=%20&searchPage=1";
    assert_eq!(gateway.get_anonymously(path).await.text, "[]");
    let asked = gateway.scenario.take_calls();
    assert!(
        asked
            .iter()
            .all(|call| !call.starts_with("search_products"))
    );
}
