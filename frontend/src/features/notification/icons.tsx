import { Icon, type IconProps } from '@/shared/ui/icons';

export const BellIcon = (props: IconProps) => <Icon {...props}><path d="M12 3.75a5.75 5.75 0 0 0-5.75 5.75c0 5-2 6.75-2 6.75h15.5s-2-1.75-2-6.75A5.75 5.75 0 0 0 12 3.75Zm-2 16h4" /></Icon>;
export const TrophyIcon = (props: IconProps) => <Icon {...props}><path d="M7.5 4.5h9v5.75a4.5 4.5 0 0 1-9 0V4.5Zm0 1.5H4.25c0 3 1.25 4.75 3.5 5M16.5 6h3.25c0 3-1.25 4.75-3.5 5M12 14.75v5M8.5 19.75h7" /></Icon>;
