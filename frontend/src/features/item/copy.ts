import { josa } from '@/shared/format/josa';

export const itemCopy = {
  screen: '아이템',
  one: '아이템 정보',
  unknown: '아이템을 찾을 수 없어요',
  empty: '지금은 파는 아이템이 없어요',
  cash: '캐시',
  cashCount: (count: string) => `${count}캐시`,
  cashRate: '1캐시 = 1,000원',
  cashSource: '캐시는 대회 상금으로 받거나 운영자가 드려요.',
  exchange: '바꾸기',
  available: '주문 가능',
  sections: { COLLECTIBLE: '꾸미기', THEME: '테마', HELP: '도움 아이템', DEPOSIT_PACK: '돈 주머니' },
  owned: '보유 중',
  ownedCount: (count: string) => `${count}개 보유 중`,
  soldOut: '품절',
  coming: '판매 예정',
  ended: '판매 끝',
  limited: (left: string) => `${left}개 남음`,
  week: '기간 한정',
  facts: { price: '가격', left: '남은 수량', until: '판매 기간', owned: '내 수량', limit: '한 사람당', kind: '종류' },
  ofStock: (left: string, stock: string) => `${left}개 / ${stock}개`,
  until: (day: string) => `${day}까지`,
  count: (count: string) => `${count}개`,
  slots: { FRAME: '프로필 테두리', PLATE: '닉네임 명패', THEME: '화면 테마' },
  kinds: { COLLECTIBLE: '꾸미기', THEME: '테마', STREAK_FREEZE: '도움 아이템', SEASON_TICKET: '도움 아이템', DEPOSIT_PACK: '돈 주머니' },
  tryOn: '입어보기',
  takeOff: '벗어보기',
  preview: '이렇게 보여요',
  previewBefore: '입어보기를 누르면 내 프로필에서 어떻게 보이는지 볼 수 있어요.',
  previewTheme: '입어보기를 누르면 화면이 어떻게 바뀌는지 볼 수 있어요.',
  buy: '구매하기',
  question: (name: string) => `${josa(name, '을/를')} 살까요?`,
  spend: '낼 돈',
  afterWon: '산 뒤 주문 가능',
  afterCash: '산 뒤 캐시',
  done: (name: string) => `${josa(name, '을/를')} 샀어요`,
  seePurchases: '구매 내역 보기',
  doneFacts: { spent: '낸 돈', owned: '내 수량', deposit: '기본 계좌 잔액', cash: '남은 캐시' },
  failed: '사지 못했어요',
  blocked: {
    owned: '이미 가지고 있어요',
    limit: (limit: string) => `${limit}개까지 가질 수 있어요`,
    soldOut: '다 팔렸어요',
    notOnSale: '지금은 살 수 없어요',
    tooDear: (missing: string) => `${missing} 모자라요`,
  },
} as const;

export const wearCopy = {
  wear: '착용하기',
  now: '지금 착용하기',
  takeOff: '벗기',
  mark: '착용 중',
  worn: (name: string) => `${josa(name, '을/를')} 착용했어요`,
  tookOff: (name: string) => `${josa(name, '을/를')} 벗었어요`,
  underWay: '아이템을 전해드리는 중이에요. 조금 뒤에 다시 눌러주세요.',
  failed: '바꾸지 못했어요. 다시 눌러주세요.',
} as const;

export const purchaseCopy = {
  screen: '구매 내역',
  empty: '아직 산 아이템이 없어요',
  browse: '아이템 둘러보기',
  refunded: '환불했어요',
  quantity: (count: string) => `${count}개`,
} as const;

export const exchangeCopy = {
  title: '캐시를 돈으로 바꾸기',
  amount: '캐시를 얼마나 바꿀까요?',
  placeholder: '캐시를 입력해주세요',
  most: (cash: string) => `최대 ${cash}까지 바꿀 수 있어요`,
  tooMuch: '가진 캐시보다 많아요',
  preview: (amount: string) => `기본 계좌에 ${amount}이 들어와요`,
  next: '바꾸기',
  question: (cash: string, amount: string) => `${cash}를 ${amount}으로 바꿀까요?`,
  irreversible: '바꾼 돈은 다시 캐시로 되돌릴 수 없어요.',
  done: (amount: string) => `${amount}을 넣었어요`,
  failed: '바꾸지 못했어요',
  none: '아직 캐시가 없어요. 캐시는 대회 상금으로 받거나 운영자가 드려요.',
} as const;

/** Sample texts of the preview of a theme. */
export const previewCopy = {
  me: '나',
  total: '내 총자산',
  button: '구매하기',
  link: '전체 보기',
} as const;
