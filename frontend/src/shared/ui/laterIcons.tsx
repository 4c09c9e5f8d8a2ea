import { Icon, type IconProps } from './icons';

// Icons that no first screen shows: apart from `icons.tsx`, all of which is in the first load.
export const ReceiptIcon = (props: IconProps) => <Icon {...props}><path d="M5.5 3.5h13v17l-2.2-1.6-2.1 1.6-2.2-1.6-2.1 1.6-2.2-1.6-2.2 1.6zM9 8.5h6M9 12.5h6" /></Icon>;
export const BackspaceIcon = (props: IconProps) => <Icon {...props}><path d="M20.5 6v12H9l-5.5-6L9 6h11.5Zm-8 3.5 5 5m0-5-5 5" /></Icon>;
export const InfoIcon = (props: IconProps) => <Icon {...props}><circle cx="12" cy="12" r="8.5" /><path d="M12 11v5m0-8.25v.1" /></Icon>;
export const MoreIcon = (props: IconProps) => <Icon {...props}><path d="M5.5 12h.01m6.49 0h.01m6.49 0h.01" strokeWidth={2.75} /></Icon>;
export const PlusIcon = (props: IconProps) => <Icon {...props}><path d="M12 5v14m-7-7h14" /></Icon>;
export const MinusIcon = (props: IconProps) => <Icon {...props}><path d="M5 12h14" /></Icon>;
