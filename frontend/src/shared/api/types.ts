// The wire types by the names the client uses. Only this file and client.ts know the generated document's spelling.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Item = Schemas['Item'];
export type Candle = Schemas['Candle'];
export type CandleType = Schemas['CandleType'];
export type Master = Schemas['Master'];
export type Outline = Schemas['Outline'];
export type Member = Schemas['Member'];
export type Session = Schemas['Session'];
export type JoinBody = Schemas['JoinBody'];
export type OrderBody = Schemas['OrderBody'];
export type OrderReply = Schemas['OrderReply'];
export type OrderStatus = Schemas['OrderStatus'];
export type Order = Schemas['Order'];
export type Fill = Schemas['Fill'];
export type Holding = Schemas['Holding'];
export type Assets = Schemas['Assets'];
export type Account = Schemas['Account'];
export type OrderTerms = Schemas['OrderTerms'];
export type TickStep = Schemas['TickStep'];
