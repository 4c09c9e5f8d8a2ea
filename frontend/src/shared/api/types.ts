// The wire types by the names the client uses. Only this file and client.ts know the generated document's spelling.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Item = Schemas['Item'];
export type Candle = Schemas['Candle'];
export type CandleType = Schemas['CandleType'];
export type Master = Schemas['Master'];
export type Outline = Schemas['CompanyOutline'];
export type Member = Schemas['Member'];
export type Session = Schemas['Session'];
export type JoinBody = Schemas['JoinBody'];
export type OrderBody = Schemas['OrderDraft'];
export type OrderReply = Schemas['OrderReply'];
export type OrderStatus = Schemas['OrderStatus'];
export type Order = Schemas['Order'];
export type Fill = Schemas['Fill'];
export type Holding = Schemas['Holding'];
export type Assets = Schemas['AccountSummary'];
export type Account = Schemas['Account'];
export type OrderTerms = Schemas['OrderCapacity'];
export type OrderPage = Schemas['OrderPage'];
export type OrderPreview = Schemas['OrderPreview'];
export type TickStep = Schemas['TickBand'];
export type MarketCode = Schemas['MarketCode'];
export type MarketType = Schemas['TrendType'];
export type MarketTrend = Schemas['Trend'];
export type MarketIndex = Schemas['IndexValue'];
export type Sector = Schemas['SectorRate'];
export type GoldTrend = Schemas['GoldTrend'];
export type ProductTrend = Schemas['ProductTrend'];
export type RateAverage = Schemas['RateAverage'];
export type Product = Schemas['Product'];
export type ProductDetail = Schemas['ProductDetail'];
export type ProductOption = Schemas['ProductOption'];
export type Interest = Schemas['Interest'];
export type CommodityPrice = Schemas['CommodityPrice'];
export type GoldPremium = Schemas['Premium'];
