export const viewerCopy = {
  title: '사진 크게 보기',
  place: (place: number, count: number) => `${place}/${count}`,
  back: '뒤로',
  pause: '자동 넘김 멈추기',
  play: '자동으로 넘기기',
  previous: '이전 사진',
  next: '다음 사진',
  failed: '사진을 불러오지 못했어요',
} as const;
