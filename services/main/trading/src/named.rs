//! Enums whose variants are stored by name.

/// An enum with a name for each variant: `as_str` is the text of its column, `ALL` lists them.
macro_rules! named {
    (
        $(#[$doc:meta])* pub enum $enum:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $enum {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in its column.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

pub(crate) use named;
