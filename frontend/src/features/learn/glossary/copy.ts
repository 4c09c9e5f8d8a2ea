export const glossaryCopy = {
  screen: '용어 사전',
  placeholder: '궁금한 말을 찾아보세요',
  unknown: '이 말은 아직 사전에 없어요',
  aliases: (words: string) => `다른 말: ${words}`,
  theme: (name: string) => `${name}에서 배워요`,
  count: (count: number) => `용어 ${count}개`,
  today: '오늘의 용어',
} as const;
