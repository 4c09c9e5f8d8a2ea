// The entry of what runs before the program and is much smaller: it puts what is known already into the page's shapes.
import { drawHome } from './drawHome';
import { drawPrices } from './drawPrices';

drawPrices();
drawHome();
