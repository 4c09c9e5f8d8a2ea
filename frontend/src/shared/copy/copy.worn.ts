/** What name plates say beside the nickname, by the names of their pictures. */
export const plateCopy: Readonly<Record<string, string>> = {
  'plate-wood': '나뭇결',
  'plate-first-step': '첫걸음',
  'plate-opening': '개장 기념',
};
