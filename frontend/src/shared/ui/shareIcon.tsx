import { Icon, type IconProps } from './icons';

export const ShareIcon = (props: IconProps) => <Icon {...props}><path d="M12 15V3.5m0 0L8 7.5m4-4 4 4M7 11H5.5v9h13v-9H17" /></Icon>;
