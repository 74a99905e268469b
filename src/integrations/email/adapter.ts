import { createBreaker, OutboundError, type OutboundOptions } from "#kit/network/outbound.ts";
import { AccountRefused, MessageRefused, type EmailGateway } from "#shop/notifications/gateway.ts";
import { isAccountReply, isFinalReply, type SmtpFailure } from "./wire.ts";

/**
 * Mail through an SMTP server, `smtp://` (STARTTLS, required when there is a password) or `smtps://`; `from` must be a mailbox of that
 * server.
 * Throws `MessageRefused` for an address or letter that the server refuses finally; other errors may be repeated with the same message id,
 * among them `AccountRefused` for a refused login or sender.
 */
export function createSmtpGateway(options: {
  url: string;
  from: string;
  now: () => Date;
  onCall?: OutboundOptions["onCall"];
}): EmailGateway & { close(): Promise<void> } {
  const url = new URL(options.url);
  const isSecure = url.protocol === "smtps:";
  // The package is loaded with the first letter: a process that sends none does without it.
  const openTransport = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      host: url.hostname,
      port: Number(url.port) || (isSecure ? 465 : 587),
      secure: isSecure,
      ...(url.username !== "" && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
        requireTLS: !isSecure,
      }),
      connectionTimeout: 5_000,
      greetingTimeout: 5_000, // nodemailer 10: the first bounds the second, both run from the lookup on
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: ReturnType<typeof openTransport> | null = null;
  const breaker = createBreaker(() => options.now().getTime());

  return {
    close: async () => (await transport)?.close(),
    async send({ messageId, to, subject, text, html, unsubscribe, attachments = [] }) {
      const started = performance.now();
      const finish = (outcome: string): void =>
        options.onCall?.({ provider: "email", op: "send", outcome, milliseconds: performance.now() - started });
      if (!breaker.mayCall()) {
        finish("breaker_open");
        throw new OutboundError("email", "breaker_open");
      }
      try {
        transport ??= openTransport();
        // An object keeps commas and brackets in an address from being read as a list of addresses.
        await (
          await transport
        ).sendMail({
          from: options.from,
          to: { name: "", address: to },
          subject,
          text,
          // Shorter for Cyrillic letters than quoted-printable, which also took a tenth of the processor time of an order.
          textEncoding: "base64",
          messageId,
          ...(html !== undefined && { html }),
          ...(unsubscribe !== undefined && {
            headers: { "List-Unsubscribe": `<${unsubscribe}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
          }), // RFC 8058
          attachments: attachments.map(({ name, type, bytes }) => ({ filename: name, contentType: type, content: bytes })),
        });
      } catch (error) {
        const failure = asFailure(error);
        breaker.record(failure instanceof MessageRefused); // a refusal of one address shows that the server works
        finish(failure.name);
        throw failure;
      }
      breaker.record(true);
      finish("250");
    },
  };
}

/** Replies of mail servers contain the address, so only codes are passed on. */
function asFailure(error: unknown): Error {
  const failure = error as SmtpFailure;
  const { code, responseCode } = failure;
  const message = `mail: ${code ?? "failed"}${responseCode === undefined ? "" : ` ${responseCode}`}`;
  if (isAccountReply(failure)) return new AccountRefused(message);
  if (isFinalReply(failure)) return new MessageRefused(message);
  return new Error(message);
}
