export const desktopCopy = {
  label: '휴대폰으로 열기',
  sentence: '가상 머니로 주식, 코인, 금 투자를 연습해요',
  scan: '휴대폰 카메라로 찍으면 지금 보는 화면이 열려요',
  code: '지금 보는 화면의 QR 코드',
  onlyHere: '이 컴퓨터에서만 열리는 주소예요. 네트워크 주소로 열면 휴대폰용 QR 코드가 보여요.',
} as const;
