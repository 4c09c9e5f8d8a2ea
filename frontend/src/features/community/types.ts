import type { components } from '@/shared/api/schema';

type Schemas = components['schemas'];

export type Post = Schemas['Post'];
export type PostTag = Schemas['PostTag'];
export type Picture = Schemas['Picture'];
export type UploadedPicture = Schemas['UploadedPicture'];
export type PostPage = Schemas['PostPage'];
export type Comment = Schemas['Comment'];
export type CommentPage = Schemas['CommentPage'];
export type AnswerPage = Schemas['AnswerPage'];
/** What somebody wrote or liked. */
export type ActionPage = Schemas['Activity'];
export type ActionType = Schemas['ActivityType'];
export type MemberInfo = Schemas['CommunityMember'];
export type Relation = Schemas['Relation'];
export type BlockedPage = Schemas['BlockedMembers'];
export type WritingStatus = Schemas['TextStatus'];
export type PostBody = Schemas['PostDraft'];
export type PostChangeBody = Schemas['PostChange'];
export type CommentBody = Schemas['CommentDraft'];
export type CommentChangeBody = Schemas['CommentChange'];
export type AnswerBody = Schemas['AnswerDraft'];
export type ReportBody = Schemas['ReportBody'];
/** A post, or a comment or reply. */
export type TextName = Pick<ReportBody, 'kind' | 'sid'>;
export type Hiding = Schemas['Hiding'];
export type AppealBody = Schemas['AppealBody'];
export type Standing = Schemas['Standing'];
export type Sanction = Schemas['Sanction'];
export type OwnReportPage = Schemas['OwnReports'];

export const POST_CATEGORIES = ['FREE', 'STOCK', 'COIN', 'PRODUCT', 'STUDY', 'NOTICE'] as const satisfies readonly Schemas['PostCategory'][];
export type PostCategory = (typeof POST_CATEGORIES)[number];
/** What a member may write under. */
export const WRITABLE = ['FREE', 'STOCK', 'COIN', 'PRODUCT', 'STUDY'] as const satisfies readonly PostCategory[];
export const CATEGORIES = ['ALL', ...POST_CATEGORIES] as const;
export type Category = (typeof CATEGORIES)[number];

export const FEED_TYPES = ['LATEST', 'HOT', 'FOLLOW', 'ITEM'] as const;
export type FeedType = (typeof FEED_TYPES)[number];

export const REASONS = ['ABUSE', 'SPAM', 'MANIPULATION', 'OBSCENE', 'PERSONAL_DATA', 'OTHER'] as const satisfies readonly Schemas['ReportReason'][];
export type ReportReason = (typeof REASONS)[number];
