import type { ThemeName } from '@/shared/tokens/tokens';

/** Moving averages that can be drawn, in bars. */
export const AVERAGES = [5, 20, 60] as const;
export type Average = (typeof AVERAGES)[number];

/** The indicators drawn with the price. */
export interface Studies {
  averages: readonly Average[];
  /** Volumes in a separate pane. */
  volume: boolean;
}

// Distinguishable by lightness as well as by hue, on either background.
const AVERAGE_COLORS: Readonly<Record<ThemeName, Readonly<Record<Average, string>>>> = {
  light: { 5: '#B8560B', 20: '#0B7A6B', 60: '#6B3FC9' },
  dark: { 5: '#F2B24B', 20: '#4FD6C0', 60: '#B79CFF' },
};

export function averageColor(theme: ThemeName, average: Average): string {
  return AVERAGE_COLORS[theme][average];
}
