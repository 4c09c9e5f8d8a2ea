/** Stands for the member's basic account, whatever its number. */
export const BASIC_ACCOUNT = '00';

/** Stands for the account of the member's current competition. */
export const COMPETITION_ACCOUNT = '99';
