import type { components } from '@/shared/api/schema';

type Schemas = components['schemas'];

export type Competition = Schemas['Competition'];
export type CompetitionStatus = Schemas['CompetitionStatus'];
export type Entry = Schemas['CompetitionEntry'];
export type Activity = Schemas['CompetitionActivity'];
export type Board = Schemas['CompetitionBoard'];
export type BoardRow = Schemas['CompetitionBoardRow'];
export type BoardKind = Schemas['CompetitionBoardKind'];
export type Prize = Schemas['CompetitionPrize'];
export type Award = Schemas['CompetitionAward'];
export type Objection = Schemas['CompetitionObjection'];
export type LeagueBody = Schemas['LeagueBody'] & { reqSid: string };
export type NewLeague = Schemas['NewLeague'];
export type JoinBody = Schemas['JoinCompetitionBody'] & { reqSid: string };
export type Joined = Schemas['CompetitionJoined'];
export type LeaveBody = Schemas['LeaveCompetitionBody'] & { reqSid: string };
export type Left = Schemas['CompetitionLeft'];
