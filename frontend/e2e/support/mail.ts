import { eventually } from './processes';
import { product } from './product';

interface Mail {
  to: string[];
  subject: string;
  text: string;
}

const mailsTo = async (address: string): Promise<Mail[]> => {
  const reply = await fetch(`${product.mailOrigin}/mails.json?to=${encodeURIComponent(address)}`);
  return (await reply.json()) as Mail[];
};

/** The reset link of a mail, once it has arrived. */
export const resetLinkTo = async (address: string): Promise<string> => {
  let link = '';
  await eventually('the mail is there', async () => {
    const mail = (await mailsTo(address)).find(({ text }) => text.includes('/password/new?token='));
    link = /\S+\/password\/new\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    return link !== '';
  });
  return link;
};
