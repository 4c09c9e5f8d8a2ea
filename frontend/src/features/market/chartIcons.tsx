import { Icon, type IconProps } from '@/shared/ui/icons';

export const CandleIcon = (props: IconProps) => <Icon {...props}><path d="M8 3.5v3m0 9v5M16 5v4m0 7v3.5M5.5 6.5h5v9h-5zm8 2.5h5v7h-5z" /></Icon>;
export const LineIcon = (props: IconProps) => <Icon {...props}><path d="m3.5 16.5 5.5-6 4 3.5 7.5-8" /></Icon>;
export const ExpandIcon = (props: IconProps) => <Icon {...props}><path d="M14 4.5h5.5V10M10 19.5H4.5V14M19 5l-6 6M5 19l6-6" /></Icon>;
export const TableIcon = (props: IconProps) => <Icon {...props}><path d="M4 5.5h16v13H4zM4 10h16M4 14.25h16M10 5.5v13" /></Icon>;
