import { Icon, type IconProps } from '@/shared/ui/icons';

export const BellIcon = (props: IconProps) => <Icon {...props}><path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zm4 4h4" /></Icon>;
