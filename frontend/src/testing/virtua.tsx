import { Children, type ComponentType, type ReactNode } from 'react';

interface VirtualizerProps {
  item: ComponentType<{ index: number; style: object; children: ReactNode }>;
  children: ReactNode;
}

/** Draws every row: jsdom measures nothing, so that a list which renders again would hide its rows. */
export function WindowVirtualizer({ item: Item, children }: VirtualizerProps) {
  return (
    <ul>
      {Children.toArray(children).map((child, index) => (
        <Item key={index} index={index} style={{}}>
          {child}
        </Item>
      ))}
    </ul>
  );
}
