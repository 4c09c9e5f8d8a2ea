import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

function Icon({ size = 24, children }: IconProps & { children: ReactNode }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

export const BackIcon = (props: IconProps) => <Icon {...props}><path d="M15 4.5 7.5 12l7.5 7.5" /></Icon>;
export const CloseIcon = (props: IconProps) => <Icon {...props}><path d="m5.5 5.5 13 13m0-13-13 13" /></Icon>;
export const SearchIcon = (props: IconProps) => <Icon {...props}><circle cx="11" cy="11" r="6.5" /><path d="m16 16 4.5 4.5" /></Icon>;
export const ChevronIcon = (props: IconProps) => <Icon {...props}><path d="m9 5 7 7-7 7" /></Icon>;
export const ChevronDownIcon = (props: IconProps) => <Icon {...props}><path d="m5 9 7 7 7-7" /></Icon>;
export const ShareIcon = (props: IconProps) => <Icon {...props}><path d="M12 15V3.5m0 0L8 7.5m4-4 4 4M7 11H5.5v9h13v-9H17" /></Icon>;
export const HomeIcon = (props: IconProps) => <Icon {...props}><path d="m3.5 11 8.5-7 8.5 7v8.5h-6V14h-5v5.5h-6z" /></Icon>;
export const ClockIcon = (props: IconProps) => <Icon {...props}><circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" /></Icon>;
export const ReceiptIcon = (props: IconProps) => <Icon {...props}><path d="M5.5 3.5h13v17l-2.2-1.6-2.1 1.6-2.2-1.6-2.1 1.6-2.2-1.6-2.2 1.6zM9 8.5h6M9 12.5h6" /></Icon>;
export const ChartIcon = (props: IconProps) => <Icon {...props}><path d="M4 19.5h16M7 15.5v-4m5 4V6.5m5 9v-6" /></Icon>;
export const BookIcon = (props: IconProps) => <Icon {...props}><path d="M12 6.5C10 5 7 4.5 4 5v13.5c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5Zm0 0V20" /></Icon>;
export const TalkIcon = (props: IconProps) => <Icon {...props}><path d="M12 4.5c-4.7 0-8.5 3-8.5 6.9 0 2.2 1.2 4.1 3.1 5.4L6 20.5l4-2.3c4.8.8 10.5-1.8 10.5-6.8 0-3.9-3.8-6.9-8.5-6.9Z" /></Icon>;
export const PersonIcon = (props: IconProps) => <Icon {...props}><circle cx="12" cy="8" r="3.75" /><path d="M4.75 20a7.25 7.25 0 0 1 14.5 0" /></Icon>;
export const BackspaceIcon = (props: IconProps) => <Icon {...props}><path d="M20.5 6v12H9l-5.5-6L9 6h11.5Zm-8 3.5 5 5m0-5-5 5" /></Icon>;
export const EyeIcon = (props: IconProps) => <Icon {...props}><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" /><circle cx="12" cy="12" r="2.75" /></Icon>;
export const EyeOffIcon = (props: IconProps) => <Icon {...props}><path d="m4 4 16 16M9.9 5.7a9 9 0 0 1 2.1-.2c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.7M6.2 7.2A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5c1.7 0 3.2-.5 4.5-1.2" /></Icon>;
export const CheckIcon = (props: IconProps) => <Icon {...props}><path d="m5 12.5 4.5 4.5L19 7.5" /></Icon>;
export const InfoIcon = (props: IconProps) => <Icon {...props}><circle cx="12" cy="12" r="8.5" /><path d="M12 11v5m0-8.25v.1" /></Icon>;
export const MoreIcon = (props: IconProps) => <Icon {...props}><path d="M5.5 12h.01m6.49 0h.01m6.49 0h.01" strokeWidth={2.75} /></Icon>;
export const PlusIcon = (props: IconProps) => <Icon {...props}><path d="M12 5v14m-7-7h14" /></Icon>;
export const MinusIcon = (props: IconProps) => <Icon {...props}><path d="M5 12h14" /></Icon>;
export const CandleIcon = (props: IconProps) => <Icon {...props}><path d="M8 3.5v3m0 9v5M16 5v4m0 7v3.5M5.5 6.5h5v9h-5zm8 2.5h5v7h-5z" /></Icon>;
export const LineIcon = (props: IconProps) => <Icon {...props}><path d="m3.5 16.5 5.5-6 4 3.5 7.5-8" /></Icon>;
export const ExpandIcon = (props: IconProps) => <Icon {...props}><path d="M14 4.5h5.5V10M10 19.5H4.5V14M19 5l-6 6M5 19l6-6" /></Icon>;
export const TableIcon = (props: IconProps) => <Icon {...props}><path d="M4 5.5h16v13H4zM4 10h16M4 14.25h16M10 5.5v13" /></Icon>;
export const EmptyIcon = (props: IconProps) => <Icon {...props}><path d="M4 13.5 6.5 5.5h11l2.5 8v5H4zm0 0h4.5l1.5 2.25h4l1.5-2.25H20" /></Icon>;
export const AlertIcon = (props: IconProps) => <Icon {...props}><path d="M12 4 3 19.5h18L12 4Zm0 6v4.5m0 2.5v.1" /></Icon>;
export const CloudOffIcon = (props: IconProps) => <Icon {...props}><path d="m4 4 16 16M8 8.3A5.5 5.5 0 0 1 17.3 11a3.75 3.75 0 0 1 2.4 6.3M15.5 18.5H7a4 4 0 0 1-.9-7.9" /></Icon>;
