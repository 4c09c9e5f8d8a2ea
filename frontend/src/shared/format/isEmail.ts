/** The e-mail pattern of the product: something, an at sign, something, a dot, something, without spaces. */
export function isEmail(text: string): boolean {
  return /^\S+@\S+\.\S+$/.test(text);
}
