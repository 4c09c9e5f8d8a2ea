export const installCopy = {
  title: '금융 소식, 앱에서 가장 먼저 만나요',
  body: '사고팔 때 체결되면 바로 알려드려요',
  howTitle: '홈 화면에 추가해주세요',
  howBody: '브라우저 메뉴에서 ‘홈 화면에 추가’나 ‘앱 설치’를 누르면 앱처럼 쓸 수 있어요.',
} as const;
