package org.capacityobservatory.alarms;

import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

/** Email by SMTP: one message a notice, whose Message-ID is the notice's over all tries. */
final class EmailReceiver implements Receiver {
  private static final String TIMEOUT_MILLIS = "20000";

  /** How the connection is kept from being read. */
  enum Tls {
    /** STARTTLS, and nothing without it. */
    STARTTLS,
    /** TLS from the first byte. */
    IMPLICIT,
    /** Not at all: for a relay on the same host. */
    NONE
  }

  /**
   * Where mail goes.
   *
   * @param user empty when the server wants no login
   */
  record Mail(
      String host, int port, Tls tls, String user, String password, String from, List<String> to) {
    Mail {
      to = List.copyOf(to);
    }
  }

  private final String name;
  private final Mail mail;
  private final AlertText text;
  private final Session session;

  EmailReceiver(String name, Mail mail, AlertText text, AddressGuard guard) {
    this.name = name;
    this.mail = mail;
    this.text = text;
    Properties settings = new Properties();
    settings.setProperty("mail.smtp.host", mail.host());
    settings.setProperty("mail.smtp.port", Integer.toString(mail.port()));
    settings.setProperty("mail.smtp.connectiontimeout", TIMEOUT_MILLIS);
    settings.setProperty("mail.smtp.timeout", TIMEOUT_MILLIS);
    settings.setProperty("mail.smtp.writetimeout", TIMEOUT_MILLIS);
    settings.setProperty("mail.smtp.auth", Boolean.toString(!mail.user().isEmpty()));
    settings.setProperty("mail.smtp.ssl.checkserveridentity", "true");
    settings.setProperty("mail.smtp.ssl.enable", Boolean.toString(mail.tls() == Tls.IMPLICIT));
    settings.setProperty(
        "mail.smtp.starttls.required", Boolean.toString(mail.tls() == Tls.STARTTLS));
    settings.setProperty("mail.smtp.starttls.enable", Boolean.toString(mail.tls() == Tls.STARTTLS));
    settings.put("mail.smtp.socketFactory", new GuardedSockets(guard));
    // Where the guard says no, there is no other way.
    settings.setProperty("mail.smtp.socketFactory.fallback", "false");
    this.session = Session.getInstance(settings, new Login());
  }

  private final class Login extends Authenticator {
    @Override
    protected PasswordAuthentication getPasswordAuthentication() {
      return new PasswordAuthentication(mail.user(), mail.password());
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void deliver(Notice notice) throws DeliveryException {
    try {
      Transport.send(message(notice));
    } catch (SendFailedException e) {
      // Some of the addresses were refused: those that weren't must not get it twice.
      if (e.getValidSentAddresses() != null && e.getValidSentAddresses().length > 0) {
        return;
      }
      throw DeliveryException.passing("The mail server refused: " + e.getMessage(), e);
    } catch (MessagingException e) {
      throw DeliveryException.passing(
          "The mail server %s:%d: %s".formatted(mail.host(), mail.port(), reason(e)), e);
    }
  }

  /** What the library says, and what it was told itself: that an address isn't allowed, say. */
  private static String reason(MessagingException e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == e ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + root.getMessage();
  }

  private MimeMessage message(Notice notice) throws MessagingException {
    MimeMessage message = new IdentifiedMessage(session, notice.id());
    message.setFrom(new InternetAddress(mail.from()));
    for (String address : mail.to()) {
      message.addRecipient(Message.RecipientType.TO, new InternetAddress(address));
    }
    message.setSubject(text.title(notice), "UTF-8");
    message.setText(text.body(notice), "UTF-8");
    message.setSentDate(Date.from(notice.createdAt()));
    return message;
  }

  /** Repeats have the same id, so that mail programs show them once. */
  private static final class IdentifiedMessage extends MimeMessage {
    private final UUID id;

    IdentifiedMessage(Session session, UUID id) {
      super(session);
      this.id = id;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", "<" + id + "@capacity-observatory>");
    }
  }
}
