//! Enumerations of the contract whose variants have the names of those of a message.

/// Defines `to_proto` of an enumeration. Variants that the message names otherwise come last.
macro_rules! to_proto {
    ($vis:vis $own:ty => $message:ty {
        $($variant:ident),+ $(; $($other:ident = $named:ident),+)?
    }) => {
        impl $own {
            $vis fn to_proto(self) -> $message {
                match self {
                    $(Self::$variant => <$message>::$variant,)+
                    $($(Self::$other => <$message>::$named,)+)?
                }
            }
        }
    };
}

/// Defines how an enumeration comes from that of a message: by `try_from`, to which an unspecified
/// one is an [`InvalidField`](proto::convert::InvalidField) of that name, or by `from_proto`, to
/// which it is `None`.
macro_rules! from_proto {
    ($vis:vis $message:ty => Option<$own:ty> { $($variant:ident),+ }) => {
        impl $own {
            $vis fn from_proto(message: $message) -> Option<Self> {
                match message {
                    <$message>::Unspecified => None,
                    $(<$message>::$variant => Some(Self::$variant),)+
                }
            }
        }
    };
    ($message:ty => $own:ty { $($variant:ident),+ }, $field:literal) => {
        impl TryFrom<$message> for $own {
            type Error = proto::convert::InvalidField;

            fn try_from(message: $message) -> Result<Self, Self::Error> {
                match message {
                    <$message>::Unspecified => Err(proto::convert::InvalidField($field)),
                    $(<$message>::$variant => Ok(Self::$variant),)+
                }
            }
        }
    };
}

pub(crate) use {from_proto, to_proto};
