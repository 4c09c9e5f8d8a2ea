import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

// Drawn here because only the community has them.
function Icon({ size = 22, children }: IconProps & { children: ReactNode }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

export const CommentIcon = (props: IconProps) => <Icon {...props}><path d="M12 4.5c-4.7 0-8.5 3-8.5 6.9 0 2.2 1.2 4.1 3.1 5.4L6 20.5l4-2.3c4.8.8 10.5-1.8 10.5-6.8 0-3.9-3.8-6.9-8.5-6.9Z" /></Icon>;
export const PencilIcon = (props: IconProps) => <Icon {...props}><path d="m4.5 19.5 1-4.5L16.5 4 20 7.5 9 18.5zM14 6.5l3.5 3.5" /></Icon>;
export const RefreshIcon = (props: IconProps) => <Icon {...props}><path d="M19 12a7 7 0 1 1-2.1-5M19.5 4v4h-4" /></Icon>;
