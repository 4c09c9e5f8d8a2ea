declare module 'subset-font' {
  interface Options {
    targetFormat?: 'sfnt' | 'woff' | 'woff2';
    variationAxes?: Record<string, number | { min: number; max: number }>;
    /** Tags of the OpenType features to keep; all by default. */
    keepFeatures?: string[];
    noLayoutClosure?: boolean;
    glyphIds?: number[];
  }
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>;
}
