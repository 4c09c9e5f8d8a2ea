import { expect, it } from 'vitest';
import { phoneAddress } from './phoneAddress';

it.each([
  ['https://seedup.example/invest-v2/coin/KRW-BTC?refMarketCode=coin', 'https://seedup.example/invest-v2/coin/KRW-BTC?refMarketCode=coin'],
  ['http://192.168.0.12:8080/home', 'http://192.168.0.12:8080/home'],
  ['https://seedup.example/password/new?token=geheim', 'https://seedup.example/'],
  ['http://localhost:8080/home', null],
  ['http://127.0.0.1:8080/home', null],
  ['http://[::1]:8080/home', null],
])('a phone opens %s at %s', (here, address) => expect(phoneAddress(here)).toBe(address));
