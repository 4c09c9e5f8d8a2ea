// A small entry that runs before the client and draws known data into the static page.
import { drawHome } from './drawHome';
import { drawPrices } from './drawPrices';

drawPrices();
drawHome();
