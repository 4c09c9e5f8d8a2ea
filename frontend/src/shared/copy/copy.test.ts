import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { given } from './copy.given';
import { givenLater } from './copy.given.later';

/** Formal endings that new copy does not use. */
const STIFF = /합니다|됩니다|하십시오|시겠어요/;

describe('given copy', () => {
  it('is byte for byte as given', () => {
    const examples = {
      ...given,
      ...givenLater,
      searchPlaceholder: given.searchPlaceholder('주식'),
      searchEmpty: given.searchEmpty('삼성'),
      searchError: given.searchError('x'),
      orderDone: given.orderDone('삼성전자', '구매', '주문'),
      pointTransferFailed: givenLater.pointTransferFailed('x'),
    };
    expect(examples).toMatchInlineSnapshot(`
      {
        "articleSearchPlaceholder": "아티클을 검색하세요",
        "articleSearchPrompt": "검색어를 입력하세요.",
        "close": "닫기",
        "commentMenu": "삭제/수정",
        "commentRemoved": "댓글 삭제에 성공했습니다.",
        "edit": "수정하기",
        "edited": "(수정됨)",
        "installApp": "앱설치 후 보러가기",
        "levels": [
          "빈털터리",
          "빈곤층",
          "빠듯한중산층",
          "중산층",
          "상류층",
          "자산가",
          "1천억재벌",
          "억만장자",
          "슈퍼리치",
        ],
        "noComments": "댓글이 없습니다.",
        "noSearchHistory": "최근 검색 기록이 없습니다.",
        "operator": "운영자",
        "orderDone": "삼성전자 구매 주문 완료",
        "orderKinds": {
          "buy": "매수주문",
          "cancelBuy": "매수취소",
          "cancelSell": "매도취소",
          "modifyBuy": "매수정정",
          "modifySell": "매도정정",
          "sell": "매도주문",
        },
        "pointTransferFailed": "학습포인트 이전에 실패했습니다: x",
        "postRemoveFailed": "게시글 삭제에 실패했습니다. 다시 시도해주세요.",
        "postRemoved": "게시물이 삭제되었습니다.",
        "remove": "삭제하기",
        "removeBody": "삭제 시 취소가 어려워요",
        "removeTitle": "내 의견을 삭제할까요?",
        "reply": "댓글 달기",
        "searchEmpty": "'삼성'에 대한 검색 결과가 없습니다.",
        "searchError": "검색 중 오류가 발생했습니다: x",
        "searchPlaceholder": "주식 종목을 입력하세요",
        "sides": {
          "buy": "구매",
          "sell": "판매",
        },
        "stayOnWeb": "웹으로 할게요",
        "undo": "취소",
        "writeComment": "+ 댓글 작성",
      }
    `);
  });
});

describe('our own copy', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(^|\/)copy(\.\w+)?\.ts$/.test(file) && !/copy\.(given|test)\.ts$/.test(file),
  );

  it('is found', () => expect(files.length).toBeGreaterThan(4));

  it.each(files)('%s has no formal endings', (file) => {
    const stiff = readFileSync(`src/${file}`, 'utf8')
      .split('\n')
      .filter((line) => STIFF.test(line));
    expect(stiff).toEqual([]);
  });
});

describe('style sheets', () => {
  const sheets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));

  it.each(sheets)('%s uses dynamic viewport heights', (file) => {
    expect(readFileSync(`src/${file}`, 'utf8')).not.toMatch(/\b100vh\b/);
  });
});
