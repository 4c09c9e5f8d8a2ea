// Copy that every screen loads: states, tabs, actions.
export const appName = '시드업';

export const state = {
  loading: '불러오는 중이에요',
  errorTitle: '불러오지 못했어요',
  errorBody: '잠시 후 다시 시도해주세요.',
  retry: '다시 시도',
  notFound: '찾는 페이지가 없어요',
  crash: '문제가 생겼어요',
  goHome: '홈으로 가기',
  goToList: '목록으로 가기',
  requestId: (id: string) => `요청 번호 ${id}`,
  offline: '인터넷 연결이 끊겼어요. 마지막으로 불러온 내용을 보여드려요.',
  offlineSince: (time: string) => `${time} 기준`,
  offlineBlocked: '연결되면 할 수 있어요',
  backOnline: '다시 연결했어요',
  newVersion: '새 버전을 불러올게요',
  reload: '새로고침',
  coldOffline: '인터넷 연결을 확인해주세요',
  opening: '여는 중이에요',
  bootError: '연결이 원활하지 않아요',
} as const;

export const realtime = {
  live: '실시간',
  reconnecting: '다시 연결하는 중',
  lost: '실시간 연결이 끊겼어요',
  reconnect: '다시 연결',
  closed: '장 마감',
  practice: '연습 시세',
  practiceExplained:
    '종목 이름은 실제와 같지만 가격은 연습용으로 만든 시세예요. 실제 시장 가격과 다르고, 실제 돈은 오가지 않아요.',
  replayExplained: '과거에 기록된 가격을 다시 재생하는 연습용 시세예요. 지금 시장 가격이 아니고, 실제 돈은 오가지 않아요.',
} as const;

/** Unusual trading states of an instrument. */
export const sessionMark = {
  halted: '거래정지',
  interrupted: 'VI 발동',
  auction: '동시호가',
} as const;
export type SessionMarkName = keyof typeof sessionMark;

export const nav = {
  main: '주요 메뉴',
  home: '홈',
  invest: '투자',
  learn: '학습',
  community: '커뮤니티',
  my: '마이',
  back: '뒤로 가기',
  skip: '본문으로 건너뛰기',
  competition: '대회 모드',
  unread: (count: number) => `읽지 않은 알림 ${count > 99 ? '99+' : count}개`,
} as const;

export const action = {
  close: '닫기',
  confirm: '확인',
  next: '다음',
  more: '더 보기',
  seeAll: '전체 보기',
  seeAllOf: (what: string) => `${what} 전체 보기`,
  previous: '이전',
  end: '다 봤어요',
  clear: '지우기',
  buy: '구매하기',
  sell: '판매하기',
  login: '로그인',
  join: '회원가입',
} as const;

/** Sort orders of a member's own instruments. */
export const sorting = {
  label: '정렬',
  items: { given: '담은 순', rateUp: '많이 오른 순', rateDown: '많이 내린 순', value: '거래대금순', price: '가격순', name: '이름순' },
} as const;

export const session = {
  expired: '로그인한 지 오래돼서 다시 로그인해주세요',
  ended: '로그인이 끝났어요',
  endedBody: '다시 로그인하면 이 화면으로 돌아와요',
  loginAgain: '다시 로그인하기',
} as const;

/** Replaces an amount while amounts are hidden. */
export const hiddenAmount = {
  shown: '••••',
  spoken: '숨긴 금액',
} as const;

export const market = {
  investTabs: '투자 상품 종류',
  /** The kinds of assets, and products. */
  investTab: { stock: '주식', coin: '코인', gold: '금', product: '예적금' },
  koreanStock: '국내 주식',
  usStock: '미국 주식',
  like: (name: string) => `${name} 관심 종목에 추가`,
  unlike: (name: string) => `${name} 관심 종목에서 빼기`,
} as const;
