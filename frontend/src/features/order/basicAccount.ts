/** "My basic account", whatever its number. */
export const BASIC_ACCOUNT = '00';
