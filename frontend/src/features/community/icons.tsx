import { Icon, type IconProps } from '@/shared/ui/icons';

export const PencilIcon = (props: IconProps) => <Icon {...props}><path d="m4.5 19.5 1-4.5L16.5 4 20 7.5 9 18.5zM14 6.5l3.5 3.5" /></Icon>;
export const RefreshIcon = (props: IconProps) => <Icon {...props}><path d="M19 12a7 7 0 1 1-2.1-5M19.5 4v4h-4" /></Icon>;
