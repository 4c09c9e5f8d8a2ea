// Everything that needs the chart library, in a chunk of its own.
export { addPrice, applyTheme, emptyChart } from './series';
export { drawStudies } from './studies';
