// Everything that needs the chart library, which is a file of its own.
export { addPrice, dress, emptyChart } from './series';
export { drawStudies } from './studies';
