import { Icon, type IconProps } from './icons';

export const EyeIcon = (props: IconProps) => <Icon {...props}><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" /><circle cx="12" cy="12" r="2.75" /></Icon>;
export const EyeOffIcon = (props: IconProps) => <Icon {...props}><path d="m4 4 16 16M9.9 5.7a9 9 0 0 1 2.1-.2c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.7M6.2 7.2A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5c1.7 0 3.2-.5 4.5-1.2" /></Icon>;
