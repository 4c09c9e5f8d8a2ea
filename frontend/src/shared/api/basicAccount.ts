/** Stands for the member's basic account, whatever its number. */
export const BASIC_ACCOUNT = '00';
