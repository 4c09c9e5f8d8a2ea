// Copy given by the product: byte-exact, never reworded, even where its politeness level differs from ours.
export const given = {
  searchPlaceholder: (category: string) => `${category} 종목을 입력하세요`,
  searchEmpty: (query: string) => `'${query}'에 대한 검색 결과가 없습니다.`,
  searchError: (message: string) => `검색 중 오류가 발생했습니다: ${message}`,
  noSearchHistory: '최근 검색 기록이 없습니다.',
  articleSearchPlaceholder: '아티클을 검색하세요',
  articleSearchPrompt: '검색어를 입력하세요.',
  installApp: '앱설치 후 보러가기',
  stayOnWeb: '웹으로 할게요',
  undo: '취소',
  orderDone: (name: string, side: '구매' | '판매', what: '주문' | '취소' | '정정') => `${name} ${side} ${what} 완료`,
  sides: { buy: '구매', sell: '판매' },
  orderKinds: {
    buy: '매수주문',
    sell: '매도주문',
    cancelBuy: '매수취소',
    cancelSell: '매도취소',
    modifyBuy: '매수정정',
    modifySell: '매도정정',
  },
} as const;
