import type { Article, ArticleCardData, Completion, ConcentrationCard, ContractCard, Daily, OrderCard, Progress, Quiz, StudyResult, Term, ThemeMeta } from '@/features/learn/learnTypes';

// Sample replies of the learning calls.
export const quiz: Quiz = {
  memberEducationSid: 11,
  eduSid: 'deposits-intro-02',
  type: 'SINGLE',
  title: '예금과 적금 · 입문',
  question: '연 3% [[정기예금]]에 100만원을 6개월 맡겼어요. 세금을 떼기 전 이자는 얼마일까요?',
  answerOption: { '1': '2,500원', '2': '15,000원', '3': '30,000원' },
  answerCount: 1,
  hint: '금리는 1년을 맡겼을 때의 값이에요.',
  level: 'EASY',
  themeSid: 'deposits',
  themeName: '예금과 적금',
  figure: null,
  source: '',
  asOf: '',
  isSubmit: false,
  isCorrect: null,
  isPractice: false,
  inputAnswer: null,
  answer: null,
  answerDescription: null,
  optionDescription: null,
  point: null,
  setSid: 1,
  isReady: true,
  isDescription: true,
  isDailyStudyDone: false,
  memberPoint: 100,
  triedQuizCount: 4,
  correctQuizCount: 3,
};

export const multiple: Quiz = {
  ...quiz,
  memberEducationSid: 12,
  eduSid: 'stocks-intro-03',
  type: 'MULTIPLE',
  question: '액면분할 뒤에도 그대로인 것을 2개 골라 주세요.',
  answerOption: { '1': '주식 수', '2': '시가총액', '3': '내 몫', '4': '한 주의 값' },
  answerCount: 2,
  hint: '',
};

export const result: StudyResult = {
  isCorrect: false,
  answer: ['2'],
  answerDescription: '6개월은 1년의 절반이에요.',
  optionDescription: { '1': '한 달 치를 구한 것 같아요.', '3': '1년 이자를 고른 것 같아요.' },
  point: 3,
  setBonus: 0,
  memberPoint: 103,
  triedQuizCount: 5,
  correctQuizCount: 3,
  streak: 2,
  isDailyStudyDone: false,
  nextReviewOn: '2026-11-26',
};

export const progress: Progress = {
  today: { done: 0, total: 5, points: 33, cap: 100, isDailyStudyDone: false },
  streak: { current: 6, best: 12, freezes: 1, atRiskUntil: null, restWeekday: null, nextRestWeekday: null, nextRestFrom: null, repair: null },
  themes: [],
  review: { due: 3, nextAt: null },
  stats: { triedQuizCount: 42, correctQuizCount: 31, memberPoint: 1_240 },
  completedLessons: 12,
};

export const daily: Daily = {
  date: '2026-11-25',
  random: { setSid: 1, done: 2, total: 5, isDone: false },
  themes: [],
  points: 33,
  cap: 100,
  isDailyStudyDone: false,
};

export const theme: ThemeMeta = { themeSid: 'deposits', name: '예금과 적금', description: '', total: 30, levels: [], done: 7, mastery: 42, image: null };

export const card: ArticleCardData = {
  articleSid: 'orders-1',
  title: '시장가와 지정가, 무엇이 다를까요',
  summary: '시장가는 빨리 맺고 지정가는 값을 지켜요.',
  educationTitle: '주문과 체결',
  themeSid: 'orders',
  level: 'EASY',
  minutes: 3,
  figure: { kind: 'table', title: '두 주문', alt: '두 주문을 견줘요', columns: ['주문'], rows: [['시장가']] },
  isComplete: false,
  completedAt: null,
};

export const term: Term = {
  sid: '호가',
  word: '호가',
  gist: '사거나 팔겠다고 부르는 값',
  text: '[[매도호가]]와 함께 봐요.',
  themeSid: 'orders',
  themeName: '주문과 체결',
  aliases: ['호가창'],
};

export const article: Article = {
  ...card,
  body: '화면의 값은 지난 값이에요.\n\n**[[호가|호가창]]을 봐요.** 줄이 보여요.',
  source: '',
  asOf: '',
  memberEducationSid: 91,
  point: 5,
  survey: null,
  quizSids: [],
  related: [{ ...card, articleSid: 'orders-2', title: '주문서를 위에서 아래로' }],
  terms: [term],
};

export const completion: Completion = {
  isComplete: false,
  canComplete: true,
  secondsLeft: 0,
  question: '값을 정해 두는 주문은 어느 것일까요?',
  answerOption: { '1': '시장가 주문', '2': '지정가 주문' },
  memberEducationSid: 91,
};

export const tradeCard: OrderCard = {
  kind: 'SLIPPAGE',
  orderSid: 501,
  isuKorNm: '삼성전자',
  orderCategory: 'STOCK',
  isSale: false,
  tradedAt: '2026-11-25T10:00:00+09:00',
  won: 1_200,
  slippageTicks: 3,
  fillCount: 1,
  filledQty: 3,
  limitPrc: null,
  currency: 'KRW',
  term: { ...term, sid: '슬리피지', word: '슬리피지', gist: '주문할 때 생각한 값과 체결된 값의 차이', text: '10원 × 100주는 1,000원이에요.' },
  articleSid: 'orders-3',
  articleTitle: '슬리피지, 보이지 않는 한 칸',
  articleSummary: '칸과 수량을 곱해 봐요.',
  isDue: true,
};

export const contractCard: ContractCard = {
  kind: 'EARLY_CLOSE',
  acno: '100000000103',
  name: '새싹 정기예금',
  paidIn: 1_000_000,
  interest: 1_200,
  tax: 180,
  interestAtMaturity: 12_300,
  openedOn: '2026-10-25',
  closedOn: '2026-11-25',
  maturesOn: '2027-10-25',
  term: { ...term, sid: '중도해지', word: '중도해지', gist: '만기가 되기 전에 계약을 깨고 돈을 찾는 일', text: '이자가 줄어요.' },
  articleSid: 'deposits-4',
  articleTitle: '깨기 전에 계산해요',
  articleSummary: '받을 돈을 먼저 계산해 봐요.',
  isDue: true,
};

export const concentrationCard: ConcentrationCard = {
  kind: 'CONCENTRATION',
  isuSrtCd: '005930',
  isuKorNm: '삼성전자',
  percent: 52.3,
  value: 2_615_000,
  total: 5_000_000,
  noticedAt: '2026-11-25T10:00:00+09:00',
  term: { ...term, sid: '분산 투자', word: '분산 투자', gist: '돈을 여러 곳에 나누어 담는 일', text: '열 종목에 나눠요.' },
  articleSid: 'etf-2',
  articleTitle: '열 종목인데 왜 같이 내릴까요',
  articleSummary: '무엇에 흔들리는지 봐요.',
  isDue: true,
};
