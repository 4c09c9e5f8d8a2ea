import type { ReactNode } from 'react';

export interface IconProps {
  size?: number;
}

export function Icon({ size = 24, children }: IconProps & { children: ReactNode }) {
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
export const HomeIcon = (props: IconProps) => <Icon {...props}><path d="m3.5 11 8.5-7 8.5 7v8.5h-6V14h-5v5.5h-6z" /></Icon>;
export const ClockIcon = (props: IconProps) => <Icon {...props}><circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" /></Icon>;
export const ChartIcon = (props: IconProps) => <Icon {...props}><path d="M4 19.5h16M7 15.5v-4m5 4V6.5m5 9v-6" /></Icon>;
export const BookIcon = (props: IconProps) => <Icon {...props}><path d="M12 6.5C10 5 7 4.5 4 5v13.5c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5Zm0 0V20" /></Icon>;
export const TalkIcon = (props: IconProps) => <Icon {...props}><path d="M12 4.5c-4.7 0-8.5 3-8.5 6.9 0 2.2 1.2 4.1 3.1 5.4L6 20.5l4-2.3c4.8.8 10.5-1.8 10.5-6.8 0-3.9-3.8-6.9-8.5-6.9Z" /></Icon>;
export const PersonIcon = (props: IconProps) => <Icon {...props}><circle cx="12" cy="8" r="3.75" /><path d="M4.75 20a7.25 7.25 0 0 1 14.5 0" /></Icon>;
export const CheckIcon = (props: IconProps) => <Icon {...props}><path d="m5 12.5 4.5 4.5L19 7.5" /></Icon>;
export const EmptyIcon = (props: IconProps) => <Icon {...props}><path d="M4 13.5 6.5 5.5h11l2.5 8v5H4zm0 0h4.5l1.5 2.25h4l1.5-2.25H20" /></Icon>;
export const AlertIcon = (props: IconProps) => <Icon {...props}><path d="M12 4 3 19.5h18L12 4Zm0 6v4.5m0 2.5v.1" /></Icon>;
export const CloudOffIcon = (props: IconProps) => <Icon {...props}><path d="m4 4 16 16M8 8.3A5.5 5.5 0 0 1 17.3 11a3.75 3.75 0 0 1 2.4 6.3M15.5 18.5H7a4 4 0 0 1-.9-7.9" /></Icon>;
