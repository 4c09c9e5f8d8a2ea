import { TextField, type TextFieldProps } from '@/shared/ui/TextField';
import { loginCopy } from './copy';

/** The address of a member, which password managers take for the name. */
export function EmailField(props: Pick<TextFieldProps, 'value' | 'onChange' | 'error' | 'helper' | 'enterKeyHint' | 'ref'>) {
  return <TextField label={loginCopy.email} name="username" type="email" inputMode="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />;
}
